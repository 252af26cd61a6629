package org.ibidem.serial;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StreamCorruptedException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import org.ibidem.serial.wire.Sink;
import org.ibidem.serial.wire.Source;

/// A stream of bytes inside a message: a row of pieces, each 4 bytes of length (more than 0) and so
/// many bytes, and a length of 0 at the end. So a reader that fails inside can still find its end.
final class Pieces {
    private static final int PIECE = 8 << 10;

    private Pieces() {}

    static final class Writing extends OutputStream {
        private final Sink sink;
        private final byte[] piece = new byte[Integer.BYTES + PIECE];
        private int filled = Integer.BYTES;

        Writing(Sink sink) {
            this.sink = sink;
        }

        @Override
        public void write(int value) throws IOException {
            if (filled == piece.length) {
                flush();
            }
            piece[filled++] = (byte) value;
        }

        @Override
        public void write(byte[] bytes, int offset, int count) throws IOException {
            Objects.checkFromIndexSize(offset, count, bytes.length);
            for (int done = 0; done < count; ) {
                if (filled == piece.length) {
                    flush();
                }
                int some = Math.min(count - done, piece.length - filled);
                System.arraycopy(bytes, offset + done, piece, filled, some);
                filled += some;
                done += some;
            }
        }

        @Override
        public void flush() throws IOException {
            if (filled > Integer.BYTES) {
                length(filled - Integer.BYTES);
                sink.write(piece, 0, filled);
                filled = Integer.BYTES;
            }
        }

        private void length(int bytes) {
            ByteBuffer.wrap(piece).order(ByteOrder.LITTLE_ENDIAN).putInt(0, bytes);
        }

        void end() throws IOException {
            flush();
            length(0);
            sink.write(piece, 0, Integer.BYTES);
        }
    }

    static final class Reading extends InputStream {
        private final Source source;
        private final byte[] one = new byte[Integer.BYTES];
        private int left;
        private boolean over;

        Reading(Source source) {
            this.source = source;
        }

        private boolean more() throws IOException {
            if (left == 0 && !over) {
                source.read(one, 0, Integer.BYTES, Integer.BYTES);
                left = ByteBuffer.wrap(one).order(ByteOrder.LITTLE_ENDIAN).getInt();
                over = left == 0;
                if (left < 0) {
                    over = true;
                    left = 0;
                    throw new StreamCorruptedException("no object was written there");
                }
            }
            return !over;
        }

        @Override
        public int read() throws IOException {
            return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
        }

        @Override
        public int read(byte[] bytes, int offset, int count) throws IOException {
            Objects.checkFromIndexSize(offset, count, bytes.length);
            if (count == 0) {
                return 0;
            }
            if (!more()) {
                return -1;
            }
            int some = source.read(bytes, offset, 1, Math.min(count, left));
            left -= some;
            return some;
        }

        void skipRest() throws IOException {
            var scratch = new byte[PIECE];
            while (read(scratch, 0, PIECE) >= 0) {
                // only to get past it
            }
        }
    }
}
