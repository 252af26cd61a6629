package org.ibidem.serial;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import org.ibidem.serial.wire.PrimitiveArray;
import org.ibidem.serial.wire.Source;

/// A source behind a channel that blocks.
final class FromChannel implements Source {
    private static final int PIECE = 64 << 10;

    private final ReadableByteChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(PIECE).limit(0);
    private final MemorySegment memory = MemorySegment.ofBuffer(buffer.duplicate().clear());

    FromChannel(ReadableByteChannel channel) {
        this.channel = channel;
    }

    /// Makes sure that so many bytes are in the buffer.
    private void need(int bytes) throws IOException {
        if (buffer.remaining() >= bytes) {
            return;
        }
        buffer.compact();
        while (buffer.position() < bytes) {
            if (channel.read(buffer) < 0) {
                throw new EOFException("the channel ends inside a graph, or before one");
            }
        }
        buffer.flip();
    }

    @Override
    public int read(byte[] bytes, int offset, int least, int most) throws IOException {
        int done = 0;
        while (done < least) {
            need(1);
            int some = Math.min(buffer.remaining(), most - done);
            MemorySegment.copy(
                    memory, ValueLayout.JAVA_BYTE, buffer.position(), bytes, offset + done, some);
            buffer.position(buffer.position() + some);
            done += some;
        }
        return done;
    }

    @Override
    public void readArray(PrimitiveArray kind, Object array, int offset, int count)
            throws IOException {
        for (int done = 0; done < count; ) {
            need(kind.size());
            int some = Math.min(count - done, buffer.remaining() / kind.size());
            kind.load(memory, buffer.position(), array, offset + done, some);
            buffer.position(buffer.position() + some * kind.size());
            done += some;
        }
    }
}
