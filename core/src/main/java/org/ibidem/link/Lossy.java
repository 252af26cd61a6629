package org.ibidem.link;

/// An ability of drivers and filters: with some options, frames may silently be lost, come twice,
/// or in another order.
///
/// A stack with such a layer serves only ports whose type does without reliability; they put the
/// filter `whole` over it, so that messages are lost whole.
public interface Lossy {
    /// May that happen with these options?
    boolean loses(Record options);
}
