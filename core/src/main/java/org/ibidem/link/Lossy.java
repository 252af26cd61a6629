package org.ibidem.link;

/// An ability of drivers and filters: with some options, frames may be lost, silently.
///
/// A stack with such a layer serves only ports whose type does without reliability.
public interface Lossy {
    /// May frames be lost with these options?
    boolean loses(Record options);
}
