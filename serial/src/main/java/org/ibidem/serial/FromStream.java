package org.ibidem.serial;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import org.ibidem.serial.wire.PrimitiveArray;
import org.ibidem.serial.wire.Source;

/// A source behind a stream of bytes.
final class FromStream implements Source {
    private static final int PIECE = 8 << 10;

    private final InputStream stream;

    FromStream(InputStream stream) {
        this.stream = stream;
    }

    @Override
    public int read(byte[] bytes, int offset, int least, int most) throws IOException {
        int done = 0;
        while (done < least) {
            int some = stream.read(bytes, offset + done, most - done);
            if (some < 0) {
                throw new EOFException("the stream ends inside a graph, or before one");
            }
            done += some;
        }
        return done;
    }

    @Override
    public void readArray(PrimitiveArray kind, Object array, int offset, int count)
            throws IOException {
        if (array instanceof byte[] bytes) {
            read(bytes, offset, count, count);
            return;
        }
        var piece = new byte[PIECE];
        var memory = MemorySegment.ofArray(piece);
        for (int done = 0; done < count; ) {
            int some = Math.min(count - done, PIECE / kind.size());
            int length = some * kind.size();
            read(piece, 0, length, length);
            kind.load(memory, 0, array, offset + done, some);
            done += some;
        }
    }
}
