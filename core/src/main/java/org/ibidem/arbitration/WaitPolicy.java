package org.ibidem.arbitration;

/// How long to spin before sleeping.
///
/// @param spinNanos the longest spin; 0: never spin; [Long#MAX_VALUE]: never sleep
/// @param leastNanos what an adaptive waiter falls back to while spinning brings nothing
public record WaitPolicy(long spinNanos, long leastNanos) {
    private static final long SPIN = 50_000;
    private static final long LEAST = 2_000;

    /// Spins 50 µs at most, 2 µs where that brings nothing: sleeping and waking cost about 25 µs.
    public static final WaitPolicy ADAPTIVE = new WaitPolicy(SPIN, LEAST);

    /// Sleeps at once.
    public static final WaitPolicy SLEEP = new WaitPolicy(0, 0);

    /// Never sleeps: for those who own their cores.
    public static final WaitPolicy SPIN_ONLY = new WaitPolicy(Long.MAX_VALUE, Long.MAX_VALUE);

    /// Checks the bounds.
    public WaitPolicy {
        if (leastNanos < 0 || spinNanos < leastNanos) {
            throw new IllegalArgumentException(
                    "a wait policy spins at least 0 ns and at most as long as its limit, not "
                            + leastNanos
                            + " to "
                            + spinNanos);
        }
    }

    /// `adaptive`, `sleep` or `spin`.
    public static WaitPolicy parse(String text) {
        return switch (text) {
            case "adaptive" -> ADAPTIVE;
            case "sleep" -> SLEEP;
            case "spin" -> SPIN_ONLY;
            default ->
                    throw new IllegalArgumentException(
                            "unknown way to wait '" + text + "'; known: adaptive, sleep, spin");
        };
    }
}
