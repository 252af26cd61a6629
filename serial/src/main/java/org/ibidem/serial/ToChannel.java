package org.ibidem.serial;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import org.ibidem.serial.wire.PrimitiveArray;
import org.ibidem.serial.wire.Sink;

/// A sink before a channel that blocks.
final class ToChannel implements Sink {
    private static final int PIECE = 64 << 10;

    private final WritableByteChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(PIECE);
    private final MemorySegment memory = MemorySegment.ofBuffer(buffer);

    ToChannel(WritableByteChannel channel) {
        this.channel = channel;
    }

    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
        writeArray(PrimitiveArray.BYTE, bytes, offset, count);
    }

    @Override
    public void writeArray(PrimitiveArray kind, Object array, int offset, int count)
            throws IOException {
        for (int done = 0; done < count; ) {
            int some = Math.min(count - done, PIECE / kind.size());
            kind.store(array, offset + done, memory, 0, some);
            buffer.clear().limit(some * kind.size());
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
            done += some;
        }
    }
}
