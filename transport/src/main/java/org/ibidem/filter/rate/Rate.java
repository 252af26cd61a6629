package org.ibidem.filter.rate;

/// The options of the filter `rate`.
///
/// @param limit bytes a second that this end sends, at most, in the long run
/// @param burst bytes that may go at once after a pause; 0: what the limit lets through in 20 ms
/// @param share all links of this node that name the same share one limit; empty: this link alone
public record Rate(long limit, long burst, String share) {
    private static final long LEAST = 1 << 10;
    private static final long MOST = 1L << 40;
    private static final long LEAST_BURST = 4 << 10;
    private static final long BURSTS_A_SECOND = 50;

    /// The defaults: 1 GiB a second, for this link alone.
    public Rate() {
        this(1 << 30, 0, "");
    }

    /// Checks the numbers.
    public Rate {
        if (limit < LEAST || limit > MOST) {
            throw new IllegalArgumentException("limit is 1k to 1024G bytes a second, not " + limit);
        }
        if (burst != 0 && (burst < LEAST || burst > MOST)) {
            throw new IllegalArgumentException(
                    "burst is 4k to 1024G bytes, or 0: what goes in 20 ms; not " + burst);
        }
    }

    /// Bytes that may go at once.
    long atOnce() {
        return burst == 0 ? Math.max(LEAST_BURST, limit / BURSTS_A_SECOND) : burst;
    }
}
