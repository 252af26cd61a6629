package org.ibidem.hub;

import java.time.Duration;
import org.ibidem.task.Tasks;

/// The clock by which members run out of time. It stands still while the hub cannot hear them or
/// answer: while its process or its machine stood still, and while it cannot write what they want.
/// Such time is nobody's silence.
///
/// Made before the hub reads its state, as starting may take long. Looked after at intervals. One
/// that comes late by more than another one was slept through, and does not count.
final class Attention {
    private final Tasks tasks;
    private final long interval;
    private long counted;
    private long looked;

    /// Begins to count now.
    ///
    /// @param interval how often [#look] will be called
    Attention(Tasks tasks, Duration interval) {
        this.tasks = tasks;
        this.interval = interval.toNanos();
        this.looked = tasks.nanoTime();
        this.counted = looked;
    }

    /// How often it is looked after.
    Duration interval() {
        return Duration.ofNanos(interval);
    }

    /// To be called after each interval.
    ///
    /// @param able whether the hub could do its work in it
    synchronized void look(boolean able) {
        long elapsed = tasks.nanoTime() - looked;
        if (able && elapsed <= 2 * interval) {
            counted += elapsed;
        }
        looked += elapsed;
    }

    /// Nanoseconds; only differences mean anything. Late by an interval at most.
    synchronized long now() {
        return counted;
    }
}
