package org.ibidem.filter.multicast;

/// The options of the `multicast` filter.
///
/// @param copy whether each receiver is written to alone, even where all could read what was
///   written once
public record Multicast(boolean copy) {
    /// The defaults: one write where that can be.
    public Multicast() {
        this(false);
    }
}
