package org.ibidem.apps.life;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.ibidem.hub.Hub;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The whole game with its hub in this JVM: real nodes, real ports.
@Timeout(60)
class LifeTest {
    private final Hub hub = Hub.start(Hub.Options.DEFAULT.port(0));
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final List<CompletableFuture<Integer>> results = new ArrayList<>();
    private final List<Life> games = new ArrayList<>();

    @AfterEach
    void end() {
        hub.close();
    }

    private Life start(Options options) {
        var node = Node.join(Join.pool("life").hub("localhost:" + hub.port()));
        var life = new Life(node, options, new PrintStream(printed, true, StandardCharsets.UTF_8));
        games.add(life);
        results.add(CompletableFuture.supplyAsync(life::run, Thread::startVirtualThread));
        return life;
    }

    private void startAll(int count, Options options) {
        for (int i = 0; i < count; i++) {
            start(options);
        }
    }

    private String shown() {
        return printed.toString(StandardCharsets.UTF_8);
    }

    private void await(String text) {
        while (!shown().contains(text)) {
            assertThat(results).as(shown()).noneMatch(CompletableFuture::isCompletedExceptionally);
            Thread.onSpinWait();
        }
    }

    private void awaitEnd() throws Exception {
        for (var result : results) {
            assertThat(result.get(40, TimeUnit.SECONDS)).as(shown()).isZero();
        }
        assertThat(shown()).contains("equal to the sequential run's field, bit for bit");
    }

    @ParameterizedTest
    @CsvSource({"1, 16, tcp", "2, 16, auto", "3, 31, auto", "5, 5, tcp", "5, 3, tcp"})
    void the_field_is_the_sequential_runs_bit_for_bit(int processes, int size, String stack)
            throws Exception {
        startAll(
                processes,
                Options.parse(
                        processes, "--size", "" + size, "--generations", "65", "--stack", stack));
        awaitEnd();
        assertThat(shown())
                .contains("on " + Math.min(size, processes) + " processes")
                .contains("65 generations");
    }

    @Tag("slow")
    @Test
    void who_joins_gets_rows_and_who_leaves_hands_them_over_the_coordinator_too() throws Exception {
        var options =
                Options.parse(
                        2,
                        "--size",
                        "64",
                        "--generations",
                        "8000",
                        "--era",
                        "10",
                        "--pace",
                        "1000");
        startAll(2, options);
        await("generation 20 of");
        start(options);
        start(options);
        await("on 4 processes");
        // One of them is the coordinator: the first who stood.
        games.get(0).leave();
        assertThat(results.get(0).get(30, TimeUnit.SECONDS)).isZero();
        games.get(1).leave();
        assertThat(results.get(1).get(30, TimeUnit.SECONDS)).isZero();
        awaitEnd();
        assertThat(shown()).doesNotContain("again from generation");
    }

    @Test
    void the_only_one_cannot_hand_over() throws Exception {
        var options = Options.parse(1, "--generations", "1000000", "--no-check", "--size", "16");
        var alone = start(options);
        await("generation 20 of");
        alone.leave();
        assertThat(results.getFirst().get(30, TimeUnit.SECONDS)).isEqualTo(1);
    }

    @Test
    void what_is_not_understood_is_refused_with_the_usage() {
        assertThatThrownBy(() -> Options.parse(1, "--size", "2"))
                .isInstanceOf(BadJob.class)
                .hasMessageContaining("--size is a number from 3 to 8192, not '2'")
                .hasMessageContaining("Conway's game of life");
        assertThatThrownBy(() -> Options.parse(1, "--pace"))
                .hasMessageContaining("lacks its value");
        assertThatThrownBy(() -> Options.parse(1, "--sizes", "3"))
                .hasMessageContaining("'--sizes' is no option");
    }
}
