package org.ibidem.lab.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGeneratorFactory;
import org.ibidem.hub.Hub;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Random messages through random stacks; each fault once at least, and two million messages at
/// least. What arrives has the right checksum, in the right order, and nothing is missing where the
/// port type says so, nor more than the faults explain where it does not.
class SoakTest {
    private static final long LEAST = 2_000_000;
    private static final int FAULTS =
            Types.faulty(RandomGeneratorFactory.of("L64X128MixRandom").create(0)).size();

    @Test
    @Tag("lab")
    @Tag("turn1")
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void no_message_is_lost_or_torn_or_moved() throws Exception {
        soak(Duration.ofSeconds(45));
    }

    @Test
    @Tag("full")
    @Timeout(value = 2, unit = TimeUnit.HOURS)
    void nor_within_an_hour() throws Exception {
        soak(Duration.ofHours(1));
    }

    private static void soak(Duration time) throws Exception {
        long first = Long.getLong("test.seed", System.nanoTime());
        long begin = System.nanoTime();
        long minute = 0;
        long messages = 0;
        long rounds = 0;
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0))) {
            for (long spent = 0;
                    messages < LEAST || rounds < FAULTS || spent < time.toNanos();
                    spent = System.nanoTime() - begin) {
                messages += run(hub, first + rounds, rounds);
                rounds++;
                if (spent / Duration.ofMinutes(1).toNanos() > minute) {
                    minute++;
                    say(minute * 60, time, messages, rounds);
                }
            }
        }
        say(time.toSeconds(), time, messages, rounds);
        assertThat(messages).isGreaterThanOrEqualTo(LEAST);
    }

    private static void say(long seconds, Duration time, long messages, long rounds) {
        System.out.printf(
                "soaked: %d messages in %d rounds, %d of %d s%n",
                messages, rounds, seconds, time.toSeconds());
    }

    private static long run(Hub hub, long seed, long round) {
        var random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        long of = Long.getLong("test.round", round);
        var type =
                of < FAULTS
                        ? Types.faulty(random).get((int) of)
                        : Stacks.put(Types.some(random), random);
        try (var soak = new Soak(random, hub, type)) {
            return soak.run();
        } catch (Exception | AssertionError e) {
            throw new AssertionError(
                    "fails with -Dtest.seed="
                            + seed
                            + " -Dtest.round="
                            + of
                            + " over "
                            + type
                            + ": "
                            + e.getMessage(),
                    e);
        }
    }
}
