package org.ibidem.port;

import java.util.List;

/// The way a connection goes, and why.
///
/// @param stack what its link is made of
/// @param passedOver the stacks that were to be preferred, each with the reason why it is not this
///   one: `shm: no, it runs as another user`
public record Way(String stack, List<String> passedOver) {
    /// Copies the list.
    public Way {
        passedOver = List.copyOf(passedOver);
    }

    @Override
    public String toString() {
        return passedOver.isEmpty() ? stack : stack + " (" + String.join("; ", passedOver) + ")";
    }
}
