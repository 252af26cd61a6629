package org.ibidem.lab.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.random.RandomGeneratorFactory;
import org.ibidem.hub.Hub;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Random messages through random stacks, faulty ones among them, for two minutes or, with
/// `-Dibidem.full=true`, for an hour. What arrives has the right checksum, in the right order, and
/// nothing is missing where the port type says so.
@Tag("lab")
@Timeout(2 * 3600)
class SoakTest {
    private static final Duration TIME =
            Boolean.getBoolean("ibidem.full") ? Duration.ofHours(1) : Duration.ofMinutes(2);

    @Test
    void no_message_is_lost_or_torn_or_moved() throws Exception {
        long first = Long.getLong("test.seed", System.nanoTime());
        long end = System.nanoTime() + TIME.toNanos();
        long messages = 0;
        int rounds = 0;
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0))) {
            for (long seed = first; rounds == 0 || System.nanoTime() < end; seed++) {
                var random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
                try (var soak = new Soak(random, hub)) {
                    messages += soak.run();
                } catch (Exception | AssertionError e) {
                    throw new AssertionError(
                            "fails with -Dtest.seed=" + seed + ": " + e.getMessage(), e);
                }
                rounds++;
            }
        }
        System.out.println("soaked: " + messages + " messages in " + rounds + " rounds");
        assertThat(messages).isPositive();
    }
}
