package org.ibidem.connect;

import java.time.Duration;
import org.ibidem.task.Tasks;

/// For how long nothing was heard of the other end of a connection, and how much of that counts: a
/// process that stood still itself, since it was stopped or its machine slept, has not listened,
/// and may not call another one silent for it.
public final class Hearing {
    private final Tasks tasks;
    private final Duration interval;
    private volatile long heard;
    private long beaten; // this and the next: of the beating task alone
    private long listening;

    /// Begins to listen now.
    ///
    /// @param tasks whose clock is looked at
    /// @param interval how often [#beat] will be called
    public Hearing(Tasks tasks, Duration interval) {
        this.tasks = tasks;
        this.interval = interval;
        this.heard = tasks.nanoTime();
        this.beaten = heard;
        this.listening = heard;
    }

    /// Something was heard just now; any thread may say so.
    public void heard() {
        heard = tasks.nanoTime();
    }

    /// How long nothing was heard; any thread may ask.
    public Duration quiet() {
        return Duration.ofNanos(tasks.nanoTime() - heard);
    }

    /// To be called after each interval, by one thread at a time. Who comes late by more than
    /// another one begins to listen anew.
    ///
    /// @return how long nothing was heard while somebody listened
    public Duration beat() {
        long now = tasks.nanoTime();
        if (now - beaten > 2 * interval.toNanos()) {
            listening = now;
        }
        beaten = now;
        return Duration.ofNanos(Math.min(now - heard, now - listening));
    }
}
