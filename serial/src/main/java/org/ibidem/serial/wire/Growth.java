package org.ibidem.serial.wire;

/// How long an array becomes that was too short: lengths above 2³⁰ double to no `int`.
final class Growth {
    /// Elements of the longest array that every JVM makes.
    static final int LONGEST = Integer.MAX_VALUE - 8;

    private Growth() {}

    /// Twice the length, and at most so many.
    static int doubled(int length, int most) {
        return (int) Math.min(most, 2L * length);
    }
}
