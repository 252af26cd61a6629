package org.ibidem.serial;

import java.io.EOFException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ibidem.serial.wire.PrimitiveArray;
import org.ibidem.serial.wire.Source;

/// A source that is memory.
final class FromMemory implements Source {
    private final MemorySegment memory;
    private long position;

    FromMemory(MemorySegment memory) {
        this.memory = memory;
    }

    private void need(long bytes) throws EOFException {
        if (bytes > memory.byteSize() - position) {
            throw new EOFException("the memory ends inside a graph, or before one");
        }
    }

    @Override
    public int read(byte[] bytes, int offset, int least, int most) throws EOFException {
        need(least);
        int some = (int) Math.min(most, memory.byteSize() - position);
        MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, position, bytes, offset, some);
        position += some;
        return some;
    }

    @Override
    public void readArray(PrimitiveArray kind, Object array, int offset, int count)
            throws EOFException {
        need((long) count * kind.size());
        kind.load(memory, position, array, offset, count);
        position += (long) count * kind.size();
    }
}
