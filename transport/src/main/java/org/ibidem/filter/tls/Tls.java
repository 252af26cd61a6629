package org.ibidem.filter.tls;

import java.time.Duration;

/// The options of the filter `tls`.
///
/// @param within how long the handshake may take
public record Tls(Duration within) {
    private static final Duration LONGEST = Duration.ofMinutes(10);

    /// The default: 10 s.
    public Tls() {
        this(Duration.ofSeconds(10));
    }

    /// Checks the time.
    public Tls {
        if (!within.isPositive() || within.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("a handshake may take up to 10min, and some time");
        }
    }
}
