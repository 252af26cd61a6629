package org.ibidem.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.ibidem.hub.Hub;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/// How `./ibidem` starts once it is built.
@Tag("lab")
@Isolated("starts processes, of which some are killed")
@Timeout(120)
class StartTest {
    private static final Path COMMAND = Path.of("..", "ibidem").toAbsolutePath().normalize();

    /// Five times what it shall take, as this machine may be busy.
    private static final Duration LIMIT = Duration.ofMillis(5 * 300);

    @BeforeEach
    void requireTheCommand() {
        assumeTrue(
                Files.exists(COMMAND.resolveSibling("dist/cli/stamp")),
                "the command is not built: './ibidem test' builds it, or any './ibidem'");
    }

    private static int version(String options) throws Exception {
        return start(options, "--version");
    }

    private static int start(String options, String... arguments) throws Exception {
        var command = new ArrayList<>(List.of(COMMAND.toString()));
        command.addAll(List.of(arguments));
        var builder =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("IBIDEM_BUILT", "1");
        builder.environment().put("IBIDEM_JAVA_OPTS", options);
        var process = builder.start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    @Test
    void it_tells_its_version_at_once() throws Exception {
        long best = Long.MAX_VALUE;
        // While it is too slow it may be others who are busy.
        for (int i = 0; i < 5 || (i < 30 && best > LIMIT.toNanos()); i++) {
            long begun = System.nanoTime();
            assertThat(version("")).isZero();
            best = Math.min(best, System.nanoTime() - begun);
        }
        System.out.println("./ibidem --version: " + best / 1_000_000 + " ms");
        assertThat(Duration.ofNanos(best)).isLessThan(LIMIT);
    }

    /// Five times what it shall take, as above.
    @Test
    void two_processes_that_exchange_messages_are_done_soon() throws Exception {
        var limit = Duration.ofSeconds(5);
        long best = Long.MAX_VALUE;
        for (int i = 0; i < 2 || (i < 10 && best > limit.toNanos()); i++) {
            long begun = System.nanoTime();
            assertThat(start("", "run", "-n", "2", "sor", "--size", "64", "--iterations", "10"))
                    .isZero();
            best = Math.min(best, System.nanoTime() - begun);
        }
        System.out.println("./ibidem run -n 2 sor: " + best / 1_000_000 + " ms");
        assertThat(Duration.ofNanos(best)).isLessThan(limit);
    }

    /// A JVM that may not start without a cache starts: so there is one, and it fits.
    @Test
    void the_cache_of_linked_classes_is_there_and_used() throws Exception {
        assertThat(COMMAND.resolveSibling("dist/cli/ibidem.aot")).isNotEmptyFile();
        assertThat(version("-XX:AOTMode=on")).isZero();
    }

    @Test
    void the_cache_has_what_reads_the_command_line() throws Exception {
        var builder = new ProcessBuilder(COMMAND.toString(), "--version");
        builder.environment().put("IBIDEM_BUILT", "1");
        builder.environment().put("IBIDEM_JAVA_OPTS", "-Xlog:class+load");
        var process = builder.start();
        process.getErrorStream().close();
        try (var lines = process.inputReader().lines()) {
            assertThat(lines.filter(line -> line.contains(" picocli.CommandLine ")))
                    .singleElement()
                    .asString()
                    .contains("shared objects file");
        }
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void a_cache_that_does_not_fit_is_left_aside() throws Exception {
        assertThat(version("-XX:+UseParallelGC -XX:-UseSerialGC")).isZero();
    }

    private static final String HANDED =
            """
            exec 9>"$0/nine"; ulimit -Sn 250
            "$1" wrap --agent "$0/agent" -- sh -c 'echo by "$(cat "/proc/$PPID/comm")"; ulimit -Sn; cat "$0"; echo x >&9' <(echo handed)
            """;

    /// The program has what its caller hands it, and no JVM starts.
    @Test
    void a_program_of_an_agent_is_started_by_the_launcher_itself(@TempDir Path folder)
            throws Exception {
        Process agent = null;
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0))) {
            var at = "" + folder.resolve("agent");
            var hubAt = "localhost:" + hub.port();
            agent = built("" + COMMAND, "agent", "--hub", hubAt, "--pool", "handed", at);
            assertThat(agent.inputReader().readLine()).contains("agent of rank 0");
            var program = built("bash", "-c", HANDED, "" + folder, "" + COMMAND);
            assertThat(program.inputReader().readAllLines())
                    .containsExactly("by ibidem-launch", "250", "handed");
            assertThat(folder.resolve("nine")).hasContent("x");
        } finally {
            if (agent != null) {
                agent.destroyForcibly();
            }
        }
    }

    private static Process built(String... command) throws IOException {
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("IBIDEM_BUILT", "1");
        return builder.start();
    }
}
