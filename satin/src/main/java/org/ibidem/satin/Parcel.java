package org.ibidem.satin;

/// A stolen job.
final class Parcel {
    private final Giver from;
    private final long stamp;
    private final byte[] job;
    private volatile boolean abandoned;

    /// @param from who wants to know what becomes of it
    /// @param stamp its number there; a job that is given away again has another one
    /// @param job it, as [Copies] writes it
    Parcel(Giver from, long stamp, byte[] job) {
        this.from = from;
        this.stamp = stamp;
        this.job = job;
    }

    Giver from() {
        return from;
    }

    long stamp() {
        return stamp;
    }

    byte[] job() {
        return job;
    }

    /// Nobody waits for it any more: its thief shall stop.
    void abandon() {
        abandoned = true;
    }

    boolean isAbandoned() {
        return abandoned;
    }

    /// Whose jobs are stolen.
    interface Giver {
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
