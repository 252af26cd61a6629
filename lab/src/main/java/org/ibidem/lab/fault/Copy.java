package org.ibidem.lab.fault;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ibidem.buffer.Frame;

/// A frame in memory of its own, for faults that hold frames back or change them. Grows to the
/// largest it has held.
public final class Copy {
    private static final int SMALLEST = 256;

    private MemorySegment memory = MemorySegment.NULL;
    private long length;
    private int flags;

    /// Makes an empty one.
    public Copy() {}

    /// Bytes of payload.
    public long length() {
        return length;
    }

    /// Copies what `lent` shows.
    public void take(Frame lent) {
        length = lent.room();
        flags = lent.flags;
        if (memory.byteSize() < length) {
            memory = Arena.ofAuto().allocate(Math.max(SMALLEST, Long.highestOneBit(length) * 2));
        }
        MemorySegment.copy(lent.memory, lent.position, memory, 0, length);
    }

    /// Lends the copy; it must stay as it is until the reader gives it back.
    public void lend(Frame lent) {
        lent.show(memory, 0, length);
        lent.flags = flags;
    }

    /// Changes one bit of the payload.
    ///
    /// @param bit counted from the start of the payload
    public void flip(long bit) {
        var layout = ValueLayout.JAVA_BYTE;
        long at = bit / Byte.SIZE;
        memory.set(layout, at, (byte) (memory.get(layout, at) ^ 1 << bit % Byte.SIZE));
    }
}
