package org.ibidem.link;

/// A filter over connections: what the network driver gets in the place of those it asks for.
///
/// It stands right above the network driver and does nothing to what the link carries, so no frame
/// costs more for it. A driver that asks for no connection is not changed by it.
public non-sealed interface ConnectionFilter extends Filter {
    /// What the driver finds below it instead of `below`; both ends do the same.
    ///
    /// @param options an instance of [#options]
    Lower over(Lower below, Record options);

    /// Whether what the driver gets is a part of a connection that other links use, too.
    default boolean shares() {
        return false;
    }
}
