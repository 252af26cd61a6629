package org.ibidem.serial.wire;

import java.io.IOException;

/// Where a decoder's bytes come from.
public interface Source {
    /// Gives the next bytes: at least `least`, waiting for them, at most `most`.
    ///
    /// @return how many
    /// @throws java.io.EOFException when the bytes end before
    int read(byte[] bytes, int offset, int least, int most) throws IOException;

    /// Fills elements of an array of primitives, as they lie in the stream.
    ///
    /// @param array one of this kind
    /// @param offset its first element
    /// @param count elements
    void readArray(PrimitiveArray kind, Object array, int offset, int count) throws IOException;

    /// Whether every graph is read, and in order: then what was said of a class in one message
    /// holds for the next. Otherwise each message says it again.
    default boolean lasting() {
        return true;
    }
}
