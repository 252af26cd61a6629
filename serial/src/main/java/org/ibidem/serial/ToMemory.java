package org.ibidem.serial;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.ibidem.serial.wire.PrimitiveArray;
import org.ibidem.serial.wire.Sink;

/// A sink that fills memory.
final class ToMemory implements Sink {
    private final MemorySegment memory;
    private long position;
    private boolean full;

    ToMemory(MemorySegment memory) {
        this.memory = memory;
    }

    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
        writeArray(PrimitiveArray.BYTE, bytes, offset, count);
    }

    /// After the first piece that does not fit no other is taken: what was cut off may end within
    /// an object, and a reader would take the next graph for the rest of it.
    @Override
    public void writeArray(PrimitiveArray kind, Object array, int offset, int count)
            throws IOException {
        if (full) {
            throw new IOException("an earlier graph did not fit, and nothing can follow it");
        }
        long bytes = (long) count * kind.size();
        if (bytes > memory.byteSize() - position) {
            full = true;
            throw new IOException(
                    "the graph does not fit into the "
                            + (memory.byteSize() - position)
                            + " bytes that are left");
        }
        kind.store(array, offset, memory, position, count);
        position += bytes;
    }
}
