package org.ibidem.satin;

import java.util.concurrent.TimeUnit;
import org.ibidem.topology.NodeId;

/// A stolen job.
final class Parcel {
    /// An orphan that nobody has asked for until then is given up: what it is part of may have been
    /// aborted.
    private static final long UNWANTED_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final Giver from;
    private final long stamp;
    private final long place;
    private final byte[] job;
    private volatile boolean abandoned;

    /// When it is abandoned, in nanoseconds; 0: never.
    private volatile long until;

    private boolean begun;
    private boolean ended;
    private boolean orphan;

    /// @param from who wants to know what becomes of it
    /// @param stamp its number there; a job that is given away again has another one
    /// @param place of the job in the tree of all, see [Worker]
    /// @param job it, as [Copies] writes it
    Parcel(Giver from, long stamp, long place, byte[] job) {
        this.from = from;
        this.stamp = stamp;
        this.place = place;
        this.job = job;
    }

    Giver from() {
        return from;
    }

    long stamp() {
        return stamp;
    }

    long place() {
        return place;
    }

    byte[] job() {
        return job;
    }

    /// Nobody waits for it any more: its thief shall stop.
    void abandon() {
        abandoned = true;
    }

    boolean isAbandoned() {
        return abandoned || (until != 0 && System.nanoTime() - until > 0);
    }

    /// Its thief does it from now on.
    synchronized void begin() {
        begun = true;
    }

    /// Its giver is gone. What has begun is an orphan, the rest is abandoned.
    ///
    /// @return whether it is an orphan now
    synchronized boolean orphan() {
        if (!begun || ended || abandoned) {
            abandoned = true;
            return false;
        }
        orphan = true;
        until = (System.nanoTime() + UNWANTED_NANOS) | 1;
        return true;
    }

    /// Somebody waits for this orphan.
    void want() {
        until = 0;
    }

    /// Its thief has done with it, whatever came of it.
    ///
    /// @return whether it is an orphan; if not, it becomes none any more
    synchronized boolean end() {
        ended = true;
        return orphan;
    }

    /// Whose jobs are stolen.
    interface Giver {
        /// Which process that is.
        NodeId self();

        /// A job is done.
        ///
        /// @param outcome as [Copies] writes it
        void done(long stamp, byte[] outcome, boolean thrown);

        /// A job comes back undone.
        ///
        /// @param why it could not be done; empty: it was not wanted any more
        void back(long stamp, String why);

        /// A job was given up, as it was abandoned.
        void over(long stamp);
    }
}
