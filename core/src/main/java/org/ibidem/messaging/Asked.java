package org.ibidem.messaging;

import java.time.Duration;
import org.ibidem.port.Origin;
import org.ibidem.task.Tasks;

/// A question as it is being answered: who asks, and until when an answer is wanted.
public final class Asked {
    private final Origin from;
    private final Tasks clock;
    final long deadline;
    private volatile boolean cancelled;

    Asked(Origin from, Tasks clock, long deadline) {
        this.from = from;
        this.clock = clock;
        this.deadline = deadline;
    }

    /// Who asks.
    public Origin from() {
        return from;
    }

    /// For how long an answer is wanted still; zero: no more.
    public Duration left() {
        return Duration.ofNanos(Math.max(0, deadline - clock.nanoTime()));
    }

    /// Whether nobody wants the answer any more: its time is over, or its caller has cancelled the
    /// call or is gone. A handler is interrupted then, where it does not run alone.
    public boolean isOver() {
        return cancelled || deadline - clock.nanoTime() <= 0;
    }

    void cancel() {
        cancelled = true;
    }
}
