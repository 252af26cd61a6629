package org.ibidem.filter.reliable;

import java.time.Duration;

/// The options of the `reliable` filter.
///
/// @param window frames that may be under way, and that are kept at the receiver for its reader
/// @param silence after so long without any answer to what was sent the link is broken
public record Reliable(int window, Duration silence) {
    private static final int MOST = 1 << 14;

    /// The defaults: 256 frames, 2 min: longer than a process that was stopped for a moment.
    public Reliable() {
        this(256, Duration.ofMinutes(2));
    }

    /// Checks both.
    public Reliable {
        if (window < 2 || window > MOST || Integer.bitCount(window) != 1) {
            throw new IllegalArgumentException("a window is a power of two, 2 to " + MOST);
        }
        if (silence.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException("silence is 1s at least");
        }
    }
}
