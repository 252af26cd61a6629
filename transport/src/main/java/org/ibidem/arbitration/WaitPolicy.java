package org.ibidem.arbitration;

import java.util.concurrent.TimeUnit;

/// How a port waits: how long it spins and then gives its core away before it sleeps, and how often
/// it looks at the sockets while faster networks keep it busy.
///
/// @param spinNanos the longest spin; 0: never spin; [Long#MAX_VALUE]: never sleep
/// @param leastNanos what an adaptive waiter falls back to while spinning brings nothing; equal to
///   `spinNanos`: does not adapt
/// @param pollsPerLook polls of fast networks for each look at the sockets of the same port, a
///   system call
/// @param yieldNanos how long a wait may last in which it gives its core away again and again after
///   the spin, where that brings something; 0: it sleeps after the spin
public record WaitPolicy(long spinNanos, long leastNanos, int pollsPerLook, long yieldNanos) {
    private static final long SPIN = 50_000;
    private static final long LEAST = 2_000;
    private static final int POLLS = 128;
    private static final long YIELD = 2_000_000;

    /// Learns from the gaps between messages: spins up to 50 µs where the next one is near, 2 µs
    /// where it is not (sleeping and waking cost about 25 µs), and not at all while there are fewer
    /// cores than threads that want one.
    public static final WaitPolicy ADAPTIVE = new WaitPolicy(SPIN, LEAST);

    /// Sleeps at once.
    public static final WaitPolicy SLEEP = new WaitPolicy(0, 0);

    /// Never sleeps: for those who own their cores.
    public static final WaitPolicy SPIN_ONLY = new WaitPolicy(Long.MAX_VALUE, Long.MAX_VALUE);

    /// For more processes than cores that wait for each other all the time: spins for 2 µs, then
    /// gives its core away for up to 2 ms in all; where that brings nothing it is [#ADAPTIVE].
    public static final WaitPolicy YIELD_FIRST = new WaitPolicy(SPIN, LEAST, POLLS, YIELD);

    /// Checks the bounds.
    public WaitPolicy {
        if (leastNanos < 0 || spinNanos < leastNanos) {
            throw new IllegalArgumentException(
                    "a wait policy spins at least 0 ns and at most as long as its limit, not "
                            + leastNanos
                            + " to "
                            + spinNanos);
        }
        if (yieldNanos < 0) {
            throw new IllegalArgumentException(
                    "a wait policy gives its core away for 0 ns or longer, not " + yieldNanos);
        }
        if (pollsPerLook < 1) {
            throw new IllegalArgumentException(
                    "a wait policy looks at the sockets after 1 poll or more, not " + pollsPerLook);
        }
    }

    /// That sleeps after the spin.
    public WaitPolicy(long spinNanos, long leastNanos, int pollsPerLook) {
        this(spinNanos, leastNanos, pollsPerLook, 0);
    }

    /// With the usual share of looks at the sockets.
    public WaitPolicy(long spinNanos, long leastNanos) {
        this(spinNanos, leastNanos, POLLS);
    }

    /// Spins so long, whatever that brings, then sleeps.
    public static WaitPolicy fixed(long spinNanos) {
        return new WaitPolicy(spinNanos, spinNanos);
    }

    /// The same, with another share of looks at the sockets.
    public WaitPolicy looking(int polls) {
        return new WaitPolicy(spinNanos, leastNanos, polls, yieldNanos);
    }

    /// Whether the spin follows what it brings.
    boolean adapts() {
        return leastNanos < spinNanos;
    }

    /// `adaptive`, `yield`, `sleep`, `spin`, or the microseconds of a fixed spin, such as `20us`.
    public static WaitPolicy parse(String text) {
        return switch (text) {
            case "adaptive" -> ADAPTIVE;
            case "yield" -> YIELD_FIRST;
            case "sleep" -> SLEEP;
            case "spin" -> SPIN_ONLY;
            default -> {
                if (text.matches("[0-9]{1,6}us")) {
                    int micros = Integer.parseInt(text.substring(0, text.length() - 2));
                    yield fixed(TimeUnit.MICROSECONDS.toNanos(micros));
                }
                throw new IllegalArgumentException(
                        "unknown way to wait '"
                                + text
                                + "'; known: adaptive, yield, sleep, spin, or a fixed spin such as 20us");
            }
        };
    }
}
