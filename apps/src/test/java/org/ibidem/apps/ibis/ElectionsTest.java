package org.ibidem.apps.ibis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.ibidem.apps.Processes;
import org.ibidem.registry.Join;
import org.ibidem.registry.JoinRefused;
import org.ibidem.registry.Node;
import org.ibidem.registry.PoolEvent;
import org.ibidem.registry.coordination.Election;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A pool that is closed when all have come, who agree on a master; and on another when it dies.
@Timeout(120)
class ElectionsTest {
    private static final Duration LONG = Duration.ofSeconds(40);

    @Test
    @Tag("slow")
    void all_of_a_closed_pool_have_one_master_and_nobody_joins_later() throws Exception {
        try (var pool = new Pool(4)) {
            var masters =
                    pool.run(
                            4,
                            node -> {
                                assertThat(node.awaitClosed(LONG)).isTrue();
                                assertThat(node.members()).hasSize(node.size());
                                var master = node.elections().elect("master");
                                assertThat(node.elections().result("master", LONG))
                                        .contains(master);
                                if (node.rank() == 0) {
                                    assertThatThrownBy(() -> Node.join(pool.join()))
                                            .isInstanceOf(JoinRefused.class);
                                }
                                node.tokens().add("agreed", 1);
                                while (node.tokens().count("agreed") < 4) {
                                    Thread.onSpinWait(); // or the next one would win
                                }
                                return master;
                            });
            assertThat(masters).hasSize(4).containsOnly(masters.getFirst());
        }
    }

    /// The first master, in a process of its own.
    static final class Master {
        public static void main(String[] arguments) throws IOException {
            try (var node = Node.join(Join.fromEnvironment())) {
                System.out.println("I am master: " + node.elections().elect("master").term());
                assertThat(System.in.read()).as("until it is killed").isNegative();
            }
        }
    }

    @Test
    @Tag("slow")
    void when_the_master_is_killed_its_survivors_elect_again_in_died() throws Exception {
        try (var pool = new Pool();
                var processes = new Processes(Master.class, pool.hub(), "ibis")) {
            var process = processes.start();
            processes.await("I am master: 1");
            var masters =
                    pool.run(
                            3,
                            node -> {
                                var next = new CompletableFuture<Election>();
                                assertThat(node.elections().elect("master").term()).isEqualTo(1);
                                node.events(event -> {
                                    if (event instanceof PoolEvent.Died) {
                                        next.complete(node.elections().elect("master"));
                                    }
                                });
                                if (node.tokens().add("ready", 1) == 3) {
                                    process.destroyForcibly();
                                }
                                var master = next.get(40, TimeUnit.SECONDS);
                                node.tokens().add("agreed", 1);
                                while (node.tokens().count("agreed") < 3) {
                                    Thread.onSpinWait(); // or the next one would win
                                }
                                return master;
                            });
            assertThat(masters).hasSize(3).containsOnly(masters.getFirst());
            assertThat(masters.getFirst().term()).isEqualTo(2);
        }
    }
}
