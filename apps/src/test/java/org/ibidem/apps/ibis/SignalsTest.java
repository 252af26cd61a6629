package org.ibidem.apps.ibis;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.ibidem.registry.Events;
import org.ibidem.registry.Node;
import org.ibidem.registry.PoolEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Short words to some members and to all, and the end of a pool.
@Timeout(60)
class SignalsTest {
    private static final Duration LONG = Duration.ofSeconds(40);

    @Test
    void a_master_signals_to_each_and_to_all() throws Exception {
        try (var pool = new Pool(3)) {
            assertThat(pool.run(3, SignalsTest::program))
                    .containsExactlyInAnyOrder(
                            List.of("stop"),
                            List.of("you are 1", "stop"),
                            List.of("you are 2", "stop"));
        }
    }

    private static List<String> program(Node node) {
        var events = node.events();
        assertThat(node.awaitClosed(LONG)).isTrue();
        node.tokens().add("listening", 1);
        if (node.rank() == 0) {
            while (node.tokens().count("listening") < 3) {
                Thread.onSpinWait();
            }
            for (int rank = 1; rank < 3; rank++) {
                var to = node.member(rank).orElseThrow().id();
                assertThat(node.signals().send("you are " + rank, to)).isEqualTo(1);
            }
            assertThat(node.signals().sendAll("stop")).isEqualTo(3);
        }
        return heard(events);
    }

    private static List<String> heard(Events events) {
        var heard = new ArrayList<String>();
        while (!heard.contains("stop")) {
            if (events.next(LONG).orElseThrow() instanceof PoolEvent.Signalled(_, var word)) {
                heard.add(word);
            }
        }
        return heard;
    }

    @Test
    void whoever_finds_the_answer_ends_the_work_of_all() throws Exception {
        try (var pool = new Pool(3)) {
            var finders =
                    pool.run(
                            3,
                            node -> {
                                // Else the last may find another pool.
                                assertThat(node.awaitClosed(LONG)).isTrue();
                                while (node.terminated().isEmpty()) {
                                    if (node.sequences().next("candidate") == 42) {
                                        node.terminate();
                                    }
                                }
                                assertThat(node.isClosed()).isTrue();
                                return node.awaitTerminated(LONG).orElseThrow();
                            });
            assertThat(finders).hasSize(3).containsOnly(finders.getFirst());
        }
    }
}
