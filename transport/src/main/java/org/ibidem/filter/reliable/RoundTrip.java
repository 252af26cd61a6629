package org.ibidem.filter.reliable;

/// How long to wait for an acknowledgement before a frame is sent again (RFC 6298, with a least
/// time fit for a machine or a cluster).
final class RoundTrip {
    private static final long LEAST_NANOS = 10_000_000;
    private static final long MOST_NANOS = 2_000_000_000;
    private static final long FIRST_NANOS = 200_000_000;
    private static final int MOST_DOUBLINGS = 8;

    private long smoothed;
    private long variation;
    private long timeout = FIRST_NANOS;
    private int inVain;

    /// One that was sent once was acknowledged after so long.
    void took(long nanos) {
        if (smoothed == 0) {
            smoothed = Math.max(1, nanos);
            variation = nanos / 2;
        } else {
            variation += (Math.abs(smoothed - nanos) - variation) / 4;
            smoothed += (nanos - smoothed) / 8;
        }
        timeout = Math.clamp(smoothed + 4 * variation, LEAST_NANOS, MOST_NANOS);
    }

    /// It was waited for in vain: the next time twice as long.
    void inVain() {
        inVain = Math.min(inVain + 1, MOST_DOUBLINGS);
    }

    /// Something was acknowledged.
    void progressed() {
        inVain = 0;
    }

    long timeout() {
        return Math.min(timeout << inVain, MOST_NANOS);
    }

    /// How long an answer takes, about.
    long smoothed() {
        return smoothed;
    }
}
