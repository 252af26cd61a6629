package org.ibidem.lab.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.Eventually.withinAMinute;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.ibidem.lab.net.command.LabCommand;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The command `./ibidem lab`, as its users call it.
@Tag("lab")
class CommandTest {
    private static final int NO_LABORATORY = 3;

    /// So that it is not another's who runs these tests beside us.
    private final String name = "test" + UUID.randomUUID().toString().substring(0, 8);

    private record Outcome(int code, String said) {}

    private static Process start(String... arguments) throws IOException {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.add("--enable-native-access=ALL-UNNAMED");
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.add(LabCommand.class.getName());
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    private static Outcome command(String... arguments) throws Exception {
        var process = start(arguments);
        process.getOutputStream().close();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Outcome(process.waitFor(), said);
    }

    @Test
    void builds_uses_changes_shows_and_ends_one() throws Exception {
        var plan = Path.of("..", "docs", "lab", "Campus.java").toString();
        var up = command("up", plan, "--name", name);
        assumeTrue(up.code != NO_LABORATORY, up.said);
        try {
            assertThat(up.said)
                    .contains("laboratory '" + name + "' is up", "nat behind nat-random");
            assertThat(up.code).isZero();
            assertThat(command("up", plan, "--name", name).said)
                    .contains("a laboratory '" + name + "' is up already");
            assertThat(command("exec", "--lab", name, "office2", "hostname"))
                    .isEqualTo(new Outcome(0, "office2\n"));
            assertThat(
                            command(
                                    "exec",
                                    "--lab",
                                    name,
                                    "home1",
                                    "sh",
                                    "-c",
                                    "echo $0; exit 7",
                                    "--name"))
                    .isEqualTo(new Outcome(7, "--name\n"));
            assertThat(command("exec", "--name", name, "office2", "hostname"))
                    .isEqualTo(new Outcome(0, "office2\n"));
            runsPrograms();
            assertThat(command("exec", "--lab", name, "home9", "hostname").said)
                    .contains(
                            "there is no host 'home9': there are [home-isp, home, home1, office,");
            assertThat(command("set", "--lab", name, "home-hub", "delay=70ms", "loss=1%").said)
                    .contains("home>hub ", "hub>home ", "delay=70ms", "loss=1%");
            assertThat(command("set", "--lab", name, "home-hub", "delay=70").said)
                    .contains("expected a time such as");
            assertThat(command("set", "--lab", name, "home-hub", "dely=80ms").said)
                    .isEqualTo(
                            "ibidem lab: 'dely=80ms' sets nothing: write delay=, jitter=, rate=,"
                                    + " queue= or loss=\n");
            assertThat(command("show", "--lab", name).said)
                    .contains("hub>home         delay=70ms", "socks proxy at 1080");
        } finally {
            assertThat(command("down", "--lab", name).code).isZero();
        }
        assertThat(command("show", "--lab", name))
                .isEqualTo(new Outcome(1, "ibidem lab: no laboratory '" + name + "' is up\n"));
    }

    private void runsPrograms() throws Exception {
        // There this machine's JVMs have theirs, the command's own for one.
        var files = "ls /tmp/hsperfdata_$(id -un)";
        assertThat(command("exec", "--lab", name, "home1", "sh", "-c", files))
                .isEqualTo(new Outcome(0, ""));
        for (boolean harshly : new boolean[] {false, true}) {
            assertEndsWithItsCommand(harshly);
        }
        withinAMinute("nothing is left of those whose parents have ended", this::isTableClean);
    }

    private boolean isTableClean() {
        var ended = "! grep -l '^State:.Z' /proc/[0-9]*/status";
        try {
            return command("exec", "--lab", name, "home1", "sh", "-c", ended).code == 0;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /// A program's own end is waited for, where its command is asked to end and not killed.
    private void assertEndsWithItsCommand(boolean harshly) throws Exception {
        var program = "trap 'echo ended; exit 0' TERM; echo up; while :; do sleep 0.1; done";
        var process = start("exec", "--lab", name, "home1", "sh", "-c", program);
        try {
            var said = process.inputReader();
            assertThat(said.readLine()).isEqualTo("up");
            var all = process.descendants().toList();
            assertThat(all).isNotEmpty();
            // By its handle: the process would close what it says.
            if (harshly) {
                process.toHandle().destroyForcibly();
            } else {
                process.toHandle().destroy();
                assertThat(said.readLine()).isEqualTo("ended");
            }
            process.waitFor();
            withinAMinute("all have ended", () -> all.stream().noneMatch(ProcessState::isRunning));
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    @Test
    void each_command_has_help() throws Exception {
        for (var each : List.of("up", "exec", "set", "show", "down")) {
            var help = command(each, "--help");
            assertThat(help.said).startsWith("Usage: ibidem lab " + each);
            assertThat(help.code).isZero();
        }
    }

    @Test
    void says_what_is_wrong_with_a_file(@TempDir Path folder) throws Exception {
        assertThat(up(folder, "class Empty {}"))
                .contains("class Empty in ", "does not implement interface");
        assertThat(up(folder, "class Empty {"))
                .contains("does not compile:", "reached end of file");
        assertThat(up(folder, "class Full {}")).contains("needs a class Empty, in no package");
        assertThat(command("up", "README.md").said).contains("name one that ends in .java");
        assertThat(
                        up(
                                folder,
                                """
                                import org.ibidem.lab.net.plan.*;
                                class Empty implements Plan {
                                    public Network network() {
                                        return Network.of(Site.of("Home", Kind.NAT));
                                    }
                                }
                                """))
                .contains("describes no network: a site's name is", "'Home'");
    }

    private static String up(Path folder, String source) throws Exception {
        return command("up", write(folder, source)).said;
    }

    private static String write(Path folder, String source) throws IOException {
        return Files.writeString(folder.resolve("Empty.java"), source).toString();
    }
}
