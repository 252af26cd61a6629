package org.ibidem.hub.relay;

/// So many bytes a second and no more, after a short burst. Who spends too much is told for how
/// long to rest (a leaky bucket, kept as the time at which it will be empty).
final class Budget {
    private static final long SECOND = 1_000_000_000L;

    /// What may pass at once is this part of what may in a second.
    static final int BURSTS = 5;

    private static final long BURST = SECOND / BURSTS;

    private final long rate;
    private long empty;

    /// @param rate bytes a second; 0: any
    Budget(long rate) {
        this.rate = rate;
    }

    /// Spends so many bytes.
    ///
    /// @param now on the clock of all calls
    /// @return nanoseconds to rest before spending more
    synchronized long spend(int bytes, long now) {
        if (rate == 0) {
            return 0;
        }
        long from = empty - now > 0 ? empty : now;
        empty = from + Math.max(1, (long) (bytes * (double) SECOND / rate));
        return Math.max(0, empty - now - BURST);
    }
}
