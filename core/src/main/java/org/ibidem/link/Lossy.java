package org.ibidem.link;

/// An ability of drivers and filters: with some options, frames may be lost, come twice or change
/// places, silently.
///
/// A stack with such a layer serves only ports whose type does without reliability; they put the
/// filter `whole` over it, so that messages are lost whole.
public interface Lossy {
    /// May frames be lost with these options?
    boolean loses(Record options);
}
