package org.ibidem.serial;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import org.ibidem.serial.wire.PrimitiveArray;
import org.ibidem.serial.wire.Sink;

/// A sink before a stream of bytes.
final class ToStream implements Sink {
    private static final int PIECE = 8 << 10;

    private final OutputStream stream;

    ToStream(OutputStream stream) {
        this.stream = stream;
    }

    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
        stream.write(bytes, offset, count);
    }

    @Override
    public void writeArray(PrimitiveArray kind, Object array, int offset, int count)
            throws IOException {
        if (array instanceof byte[] bytes) {
            stream.write(bytes, offset, count);
            return;
        }
        var piece = new byte[PIECE];
        var memory = MemorySegment.ofArray(piece);
        for (int done = 0; done < count; ) {
            int some = Math.min(count - done, PIECE / kind.size());
            kind.store(array, offset + done, memory, 0, some);
            stream.write(piece, 0, some * kind.size());
            done += some;
        }
    }
}
