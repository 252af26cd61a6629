package org.ibidem.lab.badday;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/// Waits for what others are about to make true.
final class Waiting {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final long LOOK = 1_000_000;
    private static final long STILL = 300_000_000;

    private Waiting() {}

    static void until(String what, Callable<Boolean> condition) throws Exception {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!condition.call()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("waited " + LIMIT.toSeconds() + " s until " + what);
            }
            LockSupport.parkNanos(LOOK);
        }
    }

    /// Waits until a count that has begun to grow does not any more.
    static void untilStill(String what, LongSupplier count) throws Exception {
        var seen = new long[] {0, System.nanoTime()};
        until(
                what,
                () -> {
                    long now = count.getAsLong();
                    if (now != seen[0]) {
                        seen[0] = now;
                        seen[1] = System.nanoTime();
                    }
                    return now > 0 && System.nanoTime() - seen[1] > STILL;
                });
    }
}
