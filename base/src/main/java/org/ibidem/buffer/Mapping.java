package org.ibidem.buffer;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;

/// Files as memory.
public final class Mapping {
    private Mapping() {}

    /// Maps the first `bytes` of a file, to be read and written; it stays mapped as long as the
    /// segment is in use.
    ///
    /// The segment is of the class that memory from an [Arena] is of, as far as a buffer reaches,
    /// and not of the one for mapped files. Code that sees both has two ways for each access, and a
    /// small message takes up to twice as long (`docs/design/shared-memory.md`). So its
    /// [MemorySegment#isMapped] is false; frames know ([Frame#shared]).
    public static MemorySegment of(FileChannel file, long bytes) throws IOException {
        if (bytes > Integer.MAX_VALUE || bytes % Long.BYTES != 0) {
            return file.map(FileChannel.MapMode.READ_WRITE, 0, bytes, Arena.ofAuto());
        }
        var buffer = file.map(FileChannel.MapMode.READ_WRITE, 0, bytes);
        return MemorySegment.ofBuffer(buffer.order(ByteOrder.nativeOrder()).asLongBuffer());
    }
}
