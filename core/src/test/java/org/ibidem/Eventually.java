package org.ibidem;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Waits for what other threads are about to make true.
public final class Eventually {
    private static final long LIMIT = Duration.ofSeconds(20).toNanos();

    /// A machine that stands still for 20 s says nothing about us.
    private static final int LOOKS = 10_000;

    private Eventually() {}

    /// Waits until it is true; fails after 20 s.
    public static void eventually(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + LIMIT;
        for (int looks = 0; !condition.getAsBoolean(); looks++) {
            boolean late = System.nanoTime() >= end && looks >= LOOKS;
            assertThat(late).as("waited 20 s until %s", what).isFalse();
            LockSupport.parkNanos(200_000);
        }
    }
}
