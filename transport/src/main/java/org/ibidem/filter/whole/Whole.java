package org.ibidem.filter.whole;

import java.time.Duration;

/// The options of the `whole` filter.
///
/// @param within a message is given up when the next frame of it does not come in this time
public record Whole(Duration within) {
    /// The defaults: 1 s.
    public Whole() {
        this(Duration.ofSeconds(1));
    }

    /// Checks the time.
    public Whole {
        if (within.isNegative() || within.isZero()) {
            throw new IllegalArgumentException("within is more than 0, not " + within);
        }
    }
}
