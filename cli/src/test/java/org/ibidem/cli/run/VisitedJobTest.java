package org.ibidem.cli.run;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.ibidem.hub.Hub;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/// `ibidem explain`, `ping` and `doctor --peer` while a job of `ibidem run` runs, whose pool takes
/// nobody else.
@Tag("lab")
@Isolated("starts processes, of which some are killed")
@Timeout(300)
class VisitedJobTest {
    /// Prints what it heard of its pool when rank 0 is told to end.
    private static final String PROGRAM =
            """
            import java.time.Duration;
            import java.util.concurrent.*;
            import org.ibidem.registry.*;

            void main() throws Exception {
                var join = Join.fromEnvironment().membership(Membership.ORDERED);
                try (var node = Node.join(join)) {
                    node.awaitClosed(Duration.ofMinutes(1));
                    var heard = new LinkedBlockingQueue<PoolEvent>();
                    node.events(heard::add);
                    IO.println("ready");
                    if (node.rank() == 0) {
                        System.in.read();
                        node.elections().elect("end");
                    }
                    var kinds = new StringBuilder();
                    for (PoolEvent event = null; !(event instanceof PoolEvent.Elected); ) {
                        event = heard.take();
                        kinds.append(' ').append(event.getClass().getSimpleName());
                    }
                    IO.println("heard" + kinds);
                }
            }
            """;

    @TempDir Path folder;

    private List<String> tool(String hub, String pool, String command, String... words)
            throws Exception {
        var all = new ArrayList<>(List.of(words));
        all.addAll(List.of("--hub", hub, "--pool", pool));
        try (var tool = Launched.tool(folder, command, all.toArray(String[]::new))) {
            var lines = tool.lines();
            assertThat(tool.code()).as(tool.errors()).isZero();
            return lines;
        }
    }

    private static void end(Launched job) throws Exception {
        job.process().getOutputStream().write("end\n".getBytes(StandardCharsets.UTF_8));
        job.process().getOutputStream().flush();
    }

    private static final String ANSWER = "answers in [0-9.]+ ms \\(control, direct\\)";

    private static final String SAID =
            "ibidem run: the hub is at (\\S+)( \\S+)*, the pool is (run-\\S+)\\R";

    private static final String WARNED =
            "ibidem run: WARNING: --open: .* that reaches port \\d+ may join this job.*\\R";

    /// Without options it is nobody's business.
    @Test
    void a_job_with_a_hub_of_its_own_says_how_it_is_looked_into() throws Exception {
        var source = Files.writeString(folder.resolve("Watches.java"), PROGRAM);
        for (var option : List.of("--verbose", "--open")) {
            try (var job = Launched.run(folder, "-n", "2", option, source.toString())) {
                job.awaitLine("ready");
                job.awaitLine("ready");
                var said = option.equals("--open") ? SAID + WARNED : SAID;
                assertThat(job.errors()).matches(said);
                var hub = job.errors().replaceFirst(said, "$1");
                var pool = job.errors().replaceFirst(said, "$3");
                assertThat(tool(hub, pool, "ping", "1", "--count", "1")).hasSize(2);
                end(job);
                assertThat(job.code()).as(job.errors()).isZero();
            }
        }
        try (var job = Launched.run(folder, source.toString())) {
            job.awaitLine("ready");
            end(job);
            assertThat(job.code()).isZero();
            assertThat(job.errors()).isEmpty();
        }
    }

    @Test
    void the_tools_look_into_it_and_nobody_in_it_hears_of_that() throws Exception {
        var source = Files.writeString(folder.resolve("Watches.java"), PROGRAM);
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0));
                var job =
                        Launched.run(
                                folder,
                                "-n",
                                "2",
                                "--hub",
                                "localhost:" + hub.port(),
                                "--pool",
                                "job",
                                source.toString())) {
            var at = "localhost:" + hub.port();
            assertThat(List.of(job.line(), job.line()))
                    .containsExactlyInAnyOrder("[0] ready", "[1] ready");

            assertThat(tool(at, "job", "ping", "1", "--count", "2"))
                    .satisfiesExactly(
                            data ->
                                    assertThat(data)
                                            .matches(
                                                    "data to 1:\\S+@\\S+ goes over shm( \\(.*\\))?"),
                            one -> assertThat(one).matches(ANSWER),
                            two -> assertThat(two).matches(ANSWER));
            assertThat(tool(at, "job", "ping", "1", "--count", "0", "--stack", "checksum > tcp"))
                    .singleElement(as(InstanceOfAssertFactories.STRING))
                    .matches("data to 1:\\S+ goes over checksum > tcp by direct to \\S+:\\d+");
            assertThat(tool(at, "job", "explain", "0", "1"))
                    .anyMatch(line -> line.matches("direct +yes .*"))
                    .anyMatch(line -> line.startsWith("how node 0:"));
            assertThat(tool(at, "job", "doctor", "--peer", "1"))
                    .contains("from here to the peer:", "from the peer to here:")
                    .filteredOn(line -> line.matches("  direct +yes .*"))
                    .hasSize(2);

            end(job);
            var lines = job.lines();
            assertThat(job.code()).as(job.errors()).isZero();
            var heard = "heard Joined Joined Closed Elected";
            assertThat(lines).containsExactlyInAnyOrder("[0] " + heard, "[1] " + heard);
        }
    }
}
