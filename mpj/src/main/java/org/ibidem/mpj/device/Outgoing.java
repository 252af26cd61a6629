package org.ibidem.mpj.device;

import java.lang.foreign.MemorySegment;

/// A message to be sent: a static section of primitives and a dynamic one of objects, written piece
/// by piece to where it leaves. Values are little-endian.
public interface Outgoing {
    /// What its elements are: a number that travels with it.
    int type();

    /// Bytes of the static section.
    long bytes();

    /// Bytes of the dynamic section.
    long objects();

    /// Writes the next bytes: those of the static section first, then those of the dynamic one. A
    /// value may be divided between two calls.
    ///
    /// @param into written at `at` and no further than `at + count`
    void write(MemorySegment into, long at, int count);
}
