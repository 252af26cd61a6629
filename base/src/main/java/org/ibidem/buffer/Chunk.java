package org.ibidem.buffer;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/// A pooled piece of direct memory under its two names: channels take the buffer, messages the
/// segment.
///
/// @param bytes the buffer, little-endian is of no concern: only its position and limit are used
/// @param segment the same memory
public record Chunk(ByteBuffer bytes, MemorySegment segment) {
    /// One that no pool has.
    public static Chunk allocate(int size) {
        var bytes = ByteBuffer.allocateDirect(size);
        return new Chunk(bytes, MemorySegment.ofBuffer(bytes));
    }

    /// Its bytes.
    public int size() {
        return bytes.capacity();
    }
}
