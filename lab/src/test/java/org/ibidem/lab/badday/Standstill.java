package org.ibidem.lab.badday;

import static org.ibidem.Eventually.withinAMinute;

import java.util.function.LongSupplier;

/// Waits for somebody to get no further.
final class Standstill {
    private static final long STILL = 300_000_000;

    private Standstill() {}

    /// Waits until a count that has begun to grow does not any longer.
    static void await(String what, LongSupplier count) {
        var seen = new long[] {0, System.nanoTime()};
        withinAMinute(
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
