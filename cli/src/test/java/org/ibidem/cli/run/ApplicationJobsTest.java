package org.ibidem.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.ibidem.hub.Hub;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Applications beside the main job as a user starts them: a launcher and real processes.
@Tag("lab")
@Isolated("starts processes, of which some are killed")
@Timeout(120)
@Tag("turn1")
class ApplicationJobsTest {
    @TempDir Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"auto", "checksum > tcp"})
    void four_processes_exchange_blocks(String stack) throws Exception {
        try (var run =
                Launched.run(folder, "-n", "4", "exchange", "--rounds", "50", "--stack", stack)) {
            var lines = run.lines();
            assertThat(run.code()).as(run.errors()).isZero();
            assertThat(lines)
                    .anyMatch(line -> line.startsWith("[0] 4 processes, 50 rounds, 600 blocks"))
                    .contains("[0] all blocks arrived as they were sent");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "--rmi"})
    void three_processes_move_bodies(String by) throws Exception {
        var words = List.of("-n", "3", "barnes", "--bodies", "2000", "--steps", "10", by);
        try (var run =
                Launched.run(
                        folder,
                        words.stream().filter(each -> !each.isEmpty()).toArray(String[]::new))) {
            var lines = run.lines();
            assertThat(run.code()).as(run.errors()).isZero();
            assertThat(lines)
                    .anyMatch(line -> line.startsWith("[0] 2000 bodies, 3 processes"))
                    .anyMatch(line -> line.matches(".*a drift of 0\\.[0-9]+ %"))
                    .contains("[0] all bodies are where one process has them, bit for bit");
        }
    }

    @Test
    void four_processes_play_life() throws Exception {
        try (var run = Launched.run(folder, "-n", "4", "life", "--size", "64")) {
            var lines = run.lines();
            assertThat(run.code()).as(run.errors()).isZero();
            assertThat(lines)
                    .anyMatch(line -> line.endsWith("on 4 processes from now on"))
                    .anyMatch(line ->
                            line.endsWith("equal to the sequential run's field, bit for bit"));
        }
    }

    @Test
    void a_second_launcher_adds_processes_to_a_game_under_way() throws Exception {
        String[] game = {"life", "--size", "64", "--generations", "3000", "--pace", "150"};
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0));
                var one = Launched.run(folder, command(hub, game))) {
            one.awaitLine("on 2 processes from now on");
            try (var more = Launched.run(folder, command(hub, game))) {
                one.awaitLine("on 4 processes from now on");
                assertThat(one.lines())
                        .anyMatch(line ->
                                line.endsWith("equal to the sequential run's field, bit for bit"));
                assertThat(one.code()).as(one.errors()).isZero();
                assertThat(more.lines()).isEmpty();
                assertThat(more.code()).as(more.errors()).isZero();
            }
        }
    }

    private static String[] command(Hub hub, String... game) {
        var command = new ArrayList<String>();
        command.addAll(List.of("-n", "2", "--hub", "localhost:" + hub.port()));
        command.addAll(List.of("--pool", "torus"));
        command.addAll(List.of(game));
        return command.toArray(String[]::new);
    }
}
