package org.ibidem.filter.checksum;

/// The options of the `checksum` filter.
///
/// @param then what is done about a frame that was altered
public record Checksum(Then then) {
    /// What is done about a frame that was altered.
    public enum Then {
        /// The link breaks.
        BREAK,
        /// The frame is lost.
        LOSE
    }

    /// The defaults: the link breaks.
    public Checksum() {
        this(Then.BREAK);
    }
}
