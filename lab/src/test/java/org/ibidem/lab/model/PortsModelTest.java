package org.ibidem.lab.model;

import java.time.Duration;
import java.util.random.RandomGeneratorFactory;
import org.ibidem.hub.Hub;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Random programs of ports against a model of them: some that are always the same, and as many new
/// ones. One that fails is run again with `-Dtest.seed=N`.
class PortsModelTest {
    private static final int FEW = 8;
    private static final int SOME = 60;
    private static final int MANY = 1_000;
    private static final int STEPS = 200;
    private static final Duration LIMIT = Duration.ofSeconds(90);

    @Test
    @Tag("slow")
    void ports_do_what_the_model_says() {
        check(0, FEW, false);
    }

    @Test
    @Tag("lab")
    @Tag("turn0")
    void ports_go_on_doing_what_the_model_says() {
        check(FEW, FEW + SOME, false);
    }

    @Test
    @Tag("full")
    @Timeout(4 * 3600)
    void ports_do_what_the_model_says_in_programs_that_are_new() {
        check(FEW + SOME, FEW + MANY, true);
    }

    /// Programs of these seeds and, if wanted, as many of new ones: what a new one finds says
    /// nothing of what was changed last.
    private static void check(long from, long end, boolean anew) {
        var one = Long.getLong("test.seed");
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0))) {
            if (one != null) {
                run(hub, one);
                return;
            }
            long fresh = System.nanoTime();
            if (anew) {
                System.out.println("programs of ports: new seeds from " + fresh);
            }
            for (long i = from; i < end; i++) {
                run(hub, i);
                if (anew) {
                    run(hub, fresh + i - from);
                }
            }
        }
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
