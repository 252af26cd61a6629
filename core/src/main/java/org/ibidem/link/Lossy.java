package org.ibidem.link;

<<<<<<< HEAD
/// An ability of drivers and filters: with some options, frames may be lost, come twice or change
/// places, silently.
=======
/// An ability of drivers and filters: with some options, frames may silently be lost, come twice,
/// or in another order.
>>>>>>> main
///
/// A stack with such a layer serves only ports whose type does without reliability; they put the
/// filter `whole` over it, so that messages are lost whole.
public interface Lossy {
    /// May that happen with these options?
    boolean loses(Record options);
}
