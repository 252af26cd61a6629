package org.ibidem.serial.wire;

import java.io.IOException;

/// Where an encoder's bytes go.
public interface Sink {
    /// Takes these bytes; the array is the encoder's and changes after the call.
    void write(byte[] bytes, int offset, int count) throws IOException;

    /// Takes elements of an array of primitives, in the order of this machine.
    ///
    /// @param array one of this kind
    /// @param offset its first element
    /// @param count elements
    void writeArray(PrimitiveArray kind, Object array, int offset, int count) throws IOException;

    /// Takes a class description on a way of its own, by which it arrives before whatever is
    /// written later, read or not.
    ///
    /// @return false: there is no such way; it goes in line
    default boolean describe(byte[] description) throws IOException {
        return false;
    }

    /// The message is over, and its first byte may be this one now. Who has let it go already
    /// leaves it as it is: the reader is slower then, and reads the same.
    default void amend(byte first) {}

    /// As [Source#lasting] at the other end.
    default boolean lasting() {
        return true;
    }
}
