package org.ibidem.lab.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.random.RandomGeneratorFactory;
import org.ibidem.hub.Hub;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Random programs of ports against a model of them. One that fails is run again with
/// `-Dtest.seed=N`.
@Timeout(4 * 3600)
class PortsModelTest {
    private static final int PROGRAMS = Boolean.getBoolean("ibidem.full") ? 20_000 : 60;
    private static final int STEPS = 200;
    private static final Duration LIMIT = Duration.ofSeconds(15);

    @Test
    void ports_do_what_the_model_says() {
        var one = Long.getLong("test.seed");
        long first = one == null ? 0 : one;
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0))) {
            for (long seed = first; seed < (one == null ? PROGRAMS : first + 1); seed++) {
                run(hub, seed);
            }
        }
        assertThat(first).isNotNegative();
    }

    private static void run(Hub hub, long seed) {
        var random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        try (var program = new Program(random, hub)) {
            try (var _ = new Watchdog(LIMIT)) {
                program.run(STEPS);
            } catch (Exception | AssertionError e) {
                throw new AssertionError(
                        "fails with -Dtest.seed="
                                + seed
                                + ": "
                                + e.getMessage()
                                + "\n"
                                + String.join("\n", program.log),
                        e);
            }
        }
    }

    /// Interrupts a program that hangs, so that it fails and shows what it did.
    private static final class Watchdog implements AutoCloseable {
        private final Thread thread;

        Watchdog(Duration limit) {
            var watched = Thread.currentThread();
            thread =
                    Thread.ofVirtual()
                            .start(() -> {
                                try {
                                    Thread.sleep(limit); // real time: it is a time limit
                                    watched.interrupt();
                                } catch (InterruptedException e) {
                                    // the program has ended
                                }
                            });
        }

        @Override
        public void close() {
            thread.interrupt();
        }
    }
}
