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

    /// A message is over, and the first byte of it may be this one now: not called for each, but
    /// only where all of it is known. Who has let that byte go leaves it as it is; the reader is
    /// slower then, and reads the same.
    default void amend(byte first) {}

    /// As [Source#lasting] at the other end.
    default boolean lasting() {
        return true;
    }
}
