package org.ibidem.lab.net;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Waits for what others are about to make true.
public final class Waiting {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final long LOOK_EVERY_NANOS = 5_000_000;

    private Waiting() {}

    /// Returns when the condition holds; fails when it does not within a minute.
    public static void until(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("waited " + LIMIT.toSeconds() + " s until " + what);
            }
            LockSupport.parkNanos(LOOK_EVERY_NANOS);
        }
    }
}
