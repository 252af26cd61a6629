package org.ibidem.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringWriter;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.rmi.registry.Registry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Programs of `java.rmi` of the kinds that are published, unchanged, say the same by `ibidem run
/// --rmi` as by `java`: docs/programs.md has their list. Three processes each time, by `play.Play`:
/// the registry, all servers, all clients.
@Tag("lab")
@Isolated("starts processes")
@Timeout(180)
class RmiProgramsTest {
    private static final Path SOURCES =
            Path.of("..", "models", "src", "test", "resources", "programs");
    private static final List<String> ROLES = List.of("= registry", "= servers", "= clients");

    @TempDir private static Path folder;

    /// What each process has said, by its role.
    private static Map<String, List<String>> theirs;

    private static Map<String, List<String>> ours;

    @BeforeAll
    static void play() throws Exception {
        assumeTrue(
                isFree(Registry.REGISTRY_PORT),
                "port 1099, where all these programs look for their registry, is taken");
        compile();
        theirs = byJava();
        ours = byIbidem();
    }

    private static boolean isFree(int port) throws IOException {
        try (var _ = new ServerSocket(port, 1)) {
            return true;
        } catch (BindException _) {
            return false;
        }
    }

    /// As many as there are programs with a registry of their own.
    private static String freePorts() throws IOException {
        var all = new ArrayList<String>();
        for (int i = 0; i < 7; i++) {
            try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                all.add("" + socket.getLocalPort());
            }
        }
        return String.join(",", all);
    }

    private static void compile() throws IOException {
        var javac = ToolProvider.getSystemJavaCompiler();
        var said = new StringWriter();
        try (var files = javac.getStandardFileManager(null, null, null);
                var all = Files.walk(SOURCES)) {
            var sources = all.filter(each -> each.toString().endsWith(".java")).toList();
            var options = List.of("-d", folder.toString(), "-nowarn", "-proc:none");
            var units = files.getJavaFileObjectsFromPaths(sources);
            assertThat(javac.getTask(said, files, null, options, null, units).call())
                    .as(said::toString)
                    .isTrue();
        }
    }

    private static Map<String, List<String>> byJava() throws IOException {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.add("-Djava.rmi.server.hostname=127.0.0.1"); // else it asks for names
        command.addAll(List.of("-cp", folder.toString(), "play.Play", freePorts()));
        var started = new ArrayList<Process>();
        try {
            var outputs = new ArrayList<BufferedReader>();
            for (var role : ROLES) {
                var one = new ProcessBuilder(command).redirectErrorStream(true).start();
                started.add(one);
                outputs.add(one.inputReader());
                assertThat(outputs.getLast().readLine()).isEqualTo(role);
            }
            var all = new LinkedHashMap<String, List<String>>();
            for (int i = ROLES.size() - 1; i >= 0; i--) { // the last ends the others
                all.put(ROLES.get(i), outputs.get(i).lines().toList());
            }
            return all;
        } finally {
            started.forEach(Process::destroyForcibly);
        }
    }

    /// Servers are told to set a security manager, which the JDK does not take any more.
    private static Map<String, List<String>> byIbidem() throws Exception {
        String[] program = {
            "--rmi", "-n", "3", "-cp", folder.toString(), "play.Play", freePorts(), "secure"
        };
        try (var run = Launched.run(folder, program)) {
            var lines = run.lines();
            assertThat(run.code()).as(() -> lines + "\n" + said(run)).isZero();
            var ranks =
                    lines.stream()
                            .collect(
                                    Collectors.groupingBy(
                                            line -> line.substring(0, "[0] ".length()),
                                            Collectors.mapping(
                                                    line -> line.substring("[0] ".length()),
                                                    Collectors.toList())));
            return ranks.values().stream()
                    .collect(
                            Collectors.toMap(List::getFirst, each -> each.subList(1, each.size())));
        }
    }

    private static String said(Launched run) {
        try {
            return run.errors();
        } catch (IOException e) {
            return e.toString();
        }
    }

    /// What a program's client says.
    private static List<String> client(Map<String, List<String>> all, String program) {
        var lines = Objects.requireNonNull(all.get("= clients"));
        int from = lines.indexOf("== " + program);
        assertThat(from).as("%s in %s", program, lines).isNotNegative();
        var rest = lines.subList(from + 1, lines.size());
        return rest.stream().takeWhile(line -> !line.startsWith("== ")).toList();
    }

    @ParameterizedTest
    @CsvSource({
        "greeting, 'response: hello, world'",
        "pi, 3.141592653589793238462643383279502884197169399375105820974945",
        "talk, 'bob hears from nobody: hello, all'",
        "teller, 'too much, missing 1: java.lang.ArithmeticException: 70 - 71'",
        "sessions, closed: java.rmi.NoSuchObjectException",
        "cursor, 3 closed",
        "shapes, circle 1.5 times 2.0",
        "roaming, 'home, 0 to go'",
        "ticker, one sees xyz 1.0 from null",
        "tally, '800, 800 of them different'",
        "bank, no such account",
        "chat, bob hears bob: alone",
        "Hello, not exported",
        "Weather, oslo 2",
        "Files, no such handle",
        "Workers, sum 87360854400",
        "compute, hello from the engine",
    })
    void says_the_same(String program, String some) {
        assertThat(client(theirs, program)).contains(some);
        assertThat(client(ours, program)).isEqualTo(client(theirs, program));
    }

    @Test
    void servers_say_the_same() {
        assertThat(theirs.get("= servers"))
                .contains("ticker: removed for java.rmi.NoSuchObjectException");
        assertThat(ours.get("= servers")).isEqualTo(theirs.get("= servers"));
        assertThat(ours.get("= registry")).isEmpty();
    }
}
