package org.ibidem.personality.vio;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/// When a call has waited for long enough.
record Deadline(long at, boolean never) {

    /// From now on.
    ///
    /// @param millis 0: never
    static Deadline in(int millis) {
        return new Deadline(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis), millis == 0);
    }

    /// What is left.
    long nanos() {
        return never ? Long.MAX_VALUE : at - System.nanoTime();
    }

    /// The same, more than none.
    Duration left() {
        return never ? Duration.ofDays(36_500) : Duration.ofNanos(Math.max(1, nanos()));
    }
}
