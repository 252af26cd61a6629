package org.ibidem.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.spi.ToolProvider;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/// Real launchers with real processes.
@Tag("lab")
@Isolated("starts processes, of which some are killed")
class RunTest {
    /// What the processes run: says who it is, then does what it is told.
    private static final String PROBE =
            """
            package probe;

            public class Probe {
                public static void main(String[] args) throws Exception {
                    int rank = Integer.getInteger("ibidem.rank");
                    boolean chosen = args.length > 1 && rank == Integer.parseInt(args[1]);
                    System.out.println("pid " + ProcessHandle.current().pid());
                    if (chosen && args.length > 2) {
                        var gate = new java.net.Socket("127.0.0.1", Integer.parseInt(args[2]));
                        gate.getInputStream().read(); // until it opens
                    }
                    switch (args[0]) {
                        case "lines" -> {
                            for (int i = 0; i < 500; i++) {
                                System.out.print("line " + i);
                                System.out.flush();
                                System.out.println(" of " + rank + " " + "x".repeat(300));
                            }
                        }
                        case "exit" -> {
                            if (chosen) System.exit(3);
                            Thread.sleep(600_000);
                        }
                        case "throw" -> {
                            if (chosen) throw new IllegalStateException("on purpose");
                            Thread.sleep(600_000);
                        }
                        case "die" -> {
                            if (chosen) new ProcessBuilder("kill", "-9", "" + ProcessHandle.current().pid()).start();
                            Thread.sleep(600_000);
                        }
                        case "stay" -> Thread.sleep(600_000);
                        case "cling" -> {
                            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                                try { Thread.sleep(600_000); } catch (InterruptedException e) { }
                            }));
                            Thread.sleep(600_000);
                        }
                        case "read" -> System.out.println("read " + System.in.readAllBytes().length);
                        case "tell" -> System.out.println(
                                System.getProperty("ibidem.size") + " " + System.getProperty("ibidem.pool") + " "
                                        + System.getProperty("mine") + " " + java.util.List.of(args));
                    }
                }
            }
            """;

    @TempDir static Path folder;
    private static String classes;

    @BeforeAll
    static void compile() throws Exception {
        var source = Files.writeString(folder.resolve("Probe.java"), PROBE);
        var target = folder.resolve("classes");
        var silent = new PrintStream(OutputStream.nullOutputStream());
        int code =
                ToolProvider.findFirst("javac")
                        .orElseThrow()
                        .run(silent, System.err, "-d", target.toString(), source.toString());
        assertThat(code).isZero();
        classes = target.toString();
    }

    /// The chosen rank waits at it until it is accepted and closed: that all are there.
    private static ServerSocket gate() throws IOException {
        return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }

    private static Launched probe(int n, String... arguments) throws Exception {
        var all = new java.util.ArrayList<>(List.of("-n", "" + n, "-cp", classes, "probe.Probe"));
        all.addAll(List.of(arguments));
        return Launched.run(folder, all.toArray(String[]::new));
    }

    @Test
    void every_line_is_whole_and_says_who_wrote_it() throws Exception {
        try (var run = probe(3, "lines")) {
            var lines = run.lines();
            assertThat(run.code()).isZero();
            for (int rank = 0; rank < 3; rank++) {
                var mine = "[" + rank + "] line ";
                var own = lines.stream().filter(line -> line.startsWith(mine)).toList();
                assertThat(own).hasSize(500);
                for (int i = 0; i < 500; i++) {
                    assertThat(own.get(i))
                            .isEqualTo(mine + i + " of " + rank + " " + "x".repeat(300));
                }
            }
            assertThat(lines).hasSize(3 * 501).noneMatch(line -> line.contains("\033"));
        }
    }

    @Test
    void an_open_pool_has_no_size() throws Exception {
        try (var run = probe(2, "tell")) {
            assertThat(run.lines()).anyMatch(line -> line.startsWith("[1] 2 "));
        }
        var open = List.of("-n", "2", "--total", "0", "--pool", "p", "-cp", classes);
        var all = new java.util.ArrayList<>(open);
        all.addAll(List.of("probe.Probe", "tell"));
        try (var run = Launched.run(folder, all.toArray(String[]::new))) {
            assertThat(run.lines()).contains("[0] null p null [tell]", "[1] null p null [tell]");
            assertThat(run.code()).isZero();
        }
    }

    @Test
    void the_code_of_the_rank_that_fails_is_passed_on_and_the_others_end() throws Exception {
        try (var gate = gate();
                var run = probe(3, "exit", "1", "" + gate.getLocalPort())) {
            run.awaitRanks(3);
            gate.accept().close();
            assertThat(run.code()).isEqualTo(3);
            assertThat(run.errors()).contains("rank 1 failed: exit code 3", "ending 2 processes");
            assertThat(run.nobodyIsLeft()).isTrue();
        }
    }

    @Test
    void an_exception_is_shown_and_ends_the_job_with_1() throws Exception {
        try (var run = probe(2, "throw", "0")) {
            run.lines();
            assertThat(run.code()).isEqualTo(1);
            assertThat(run.errors())
                    .contains(
                            "[0] Exception in thread \"main\" java.lang.IllegalStateException: on purpose");
        }
    }

    @Test
    void a_rank_that_is_killed_ends_the_others_and_the_signal_is_named() throws Exception {
        try (var gate = gate();
                var run = probe(3, "die", "2", "" + gate.getLocalPort())) {
            run.awaitRanks(3);
            gate.accept().close();
            assertThat(run.code()).isEqualTo(137);
            assertThat(run.errors()).contains("rank 2 failed: exit code 137 (signal 9)");
            assertThat(run.nobodyIsLeft()).isTrue();
        }
    }

    @Test
    void interrupting_the_launcher_leaves_nobody() throws Exception {
        try (var run = probe(3, "stay")) {
            run.awaitRanks(3);
            new ProcessBuilder("kill", "-INT", "" + run.process().pid()).start().waitFor();
            assertThat(run.code()).isEqualTo(130);
            assertThat(run.nobodyIsLeft()).isTrue();
        }
    }

    @Test
    void ctrl_c_at_a_terminal_reaches_launcher_and_ranks_alike_and_leaves_nobody()
            throws Exception {
        try (var run =
                Launched.runAsGroup(folder, "-n", "3", "-cp", classes, "probe.Probe", "stay")) {
            run.awaitRanks(3);
            run.signalGroup("INT");
            assertThat(run.code()).isEqualTo(130);
            assertThat(run.nobodyIsLeft()).isTrue();
            assertThat(run.errors()).doesNotContain("Exception");
        }
    }

    @Test
    void killing_the_launcher_leaves_nobody() throws Exception {
        try (var run = probe(3, "stay")) {
            run.awaitRanks(3);
            run.process().destroyForcibly();
            assertThat(run.code()).isEqualTo(137);
            assertThat(run.nobodyIsLeft()).isTrue();
        }
    }

    @Test
    void who_clings_to_life_is_killed_whether_the_launcher_is_interrupted_or_killed()
            throws Exception {
        try (var run = probe(2, "cling")) {
            run.awaitRanks(2);
            run.process().destroy();
            assertThat(run.code()).isEqualTo(143);
            assertThat(run.nobodyIsLeft()).isTrue();
        }
        try (var run = probe(2, "cling")) {
            run.awaitRanks(2);
            run.process().destroyForcibly();
            assertThat(run.nobodyIsLeft()).isTrue();
        }
    }

    @Test
    void a_job_that_takes_too_long_is_ended_with_124() throws Exception {
        try (var run =
                Launched.run(
                        folder,
                        "-n",
                        "2",
                        "--timeout",
                        "2",
                        "-cp",
                        classes,
                        "probe.Probe",
                        "stay")) {
            run.lines();
            assertThat(run.code()).isEqualTo(124);
            assertThat(run.errors()).contains("not done within 2 s");
        }
    }

    @Test
    void standard_input_goes_to_rank_0_and_the_others_find_its_end() throws Exception {
        try (var run = probe(2, "read")) {
            try (var to = run.process().getOutputStream()) {
                to.write(new byte[12_345]);
            }
            assertThat(run.lines()).contains("[0] read 12345", "[1] read 0");
            assertThat(run.code()).isZero();
        }
    }

    @Test
    void each_process_is_told_its_pool_its_options_and_its_arguments() throws Exception {
        try (var run =
                Launched.run(
                        folder,
                        "-n",
                        "2",
                        "--java=-Dmine=yes",
                        "--java",
                        "-XX:+UseParallelGC",
                        "--pool",
                        "swim",
                        "-cp",
                        classes,
                        "probe.Probe",
                        "tell",
                        "-7",
                        "-n",
                        "two words")) {
            assertThat(run.lines())
                    .contains(
                            "[0] 2 swim yes [tell, -7, -n, two words]",
                            "[1] 2 swim yes [tell, -7, -n, two words]");
            assertThat(run.code()).isZero();
        }
    }

    @Test
    void a_jar_names_its_main_class_itself() throws Exception {
        var manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, "probe.Probe");
        var file = folder.resolve("probe.jar");
        try (var jar = new JarOutputStream(Files.newOutputStream(file), manifest)) {
            jar.putNextEntry(new ZipEntry("probe/Probe.class"));
            jar.write(Files.readAllBytes(Path.of(classes, "probe", "Probe.class")));
        }
        try (var run = Launched.run(folder, "-n", "2", "--pool", "p", file.toString(), "tell")) {
            assertThat(run.lines()).contains("[1] 2 p null [tell]");
            assertThat(run.code()).isZero();
        }
    }

    @Test
    void a_source_file_is_compiled_first_and_may_be_compact() throws Exception {
        var source =
                Files.writeString(
                        folder.resolve("Small.java"),
                        "void main() { IO.println(\"rank \" + System.getProperty(\"ibidem.rank\")"
                                + " + new org.ibidem.topology.NodeId(1, 2).hashCode() * 0); }");
        try (var run = Launched.run(folder, "-n", "2", source.toString())) {
            assertThat(run.lines()).as(run.errors()).contains("[0] rank 00", "[1] rank 10");
            assertThat(run.code()).isZero();
        }
        var wrong = Files.writeString(folder.resolve("Wrong.java"), "void main() { nonsense }");
        try (var run = Launched.run(folder, wrong.toString())) {
            run.lines();
            assertThat(run.code()).isEqualTo(2);
            assertThat(run.errors()).contains("Wrong.java does not compile", "Wrong.java:1:");
        }
    }

    @Test
    void ibidem_itself_may_be_on_the_class_path() throws Exception {
        try (var run =
                Launched.runOnClassPath(
                        folder, "-n", "2", "--pool", "p", "-cp", classes, "probe.Probe", "tell")) {
            assertThat(run.lines()).contains("[0] 2 p null [tell]", "[1] 2 p null [tell]");
            assertThat(run.code()).isZero();
        }
    }

    @Test
    void an_unknown_program_is_answered_with_what_is_known() throws Exception {
        for (var program : List.of("nope", "no.such.Main", "none.jar", "None.java")) {
            try (var run =
                    Launched.run(folder, "-cp", classes + File.pathSeparator + folder, program)) {
                run.lines();
                assertThat(run.code()).as(program).isEqualTo(2);
                assertThat(run.errors()).contains(program, "applications", "sor");
            }
        }
        try (var run = Launched.run(folder, "sro", "--size", "8")) {
            run.lines();
            assertThat(run.errors()).contains("did you mean sor?");
        }
        try (var run = Launched.run(folder, "--list")) {
            assertThat(run.lines()).anyMatch(line -> line.startsWith("sor "));
            assertThat(run.code()).isZero();
        }
    }
}
