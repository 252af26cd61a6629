package org.ibidem.codec;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/// The codec `deflate` (RFC 1951, without a header and a sum), by the JDK.
public final class Deflate implements Codec {
    private static final double MB = 1e6;

    /// The sources of a JDK, in blocks of 128 KiB, on a core of 3 GHz.
    private static final List<Level> LEVELS =
            List.of(
                    new Level(1, 95 * MB, 3.7),
                    new Level(3, 75 * MB, 4.0),
                    new Level(6, 36 * MB, 4.5),
                    new Level(9, 20 * MB, 4.6));

    /// Found by its `provides` line.
    public Deflate() {}

    @Override
    public int number() {
        return 1;
    }

    @Override
    public String name() {
        return "deflate";
    }

    @Override
    public List<Level> levels() {
        return LEVELS;
    }

    @Override
    public Encoder encoder(int level) {
        if (level < Deflater.BEST_SPEED || level > Deflater.BEST_COMPRESSION) {
            throw new IllegalArgumentException("deflate has the levels 1 to 9, not " + level);
        }
        return new Deflating(new Deflater(level, true));
    }

    @Override
    public Decoder decoder() {
        return new Inflating(new Inflater(true));
    }

    private record Deflating(Deflater deflater) implements Encoder {
        @Override
        public boolean encode(ByteBuffer from, ByteBuffer to) {
            deflater.reset();
            deflater.setInput(from);
            deflater.finish();
            while (!deflater.finished()) {
                if (deflater.deflate(to) == 0) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public void close() {
            deflater.end();
        }
    }

    private record Inflating(Inflater inflater) implements Decoder {
        @Override
        public void decode(ByteBuffer from, ByteBuffer to) throws IOException {
            inflater.reset();
            inflater.setInput(from);
            try {
                while (to.hasRemaining() && inflater.inflate(to) > 0) {
                    // until it is full, or there is no more
                }
                if (to.hasRemaining() || !ended() || from.hasRemaining()) {
                    throw new IOException("a block of deflate has another length than it says");
                }
            } catch (DataFormatException e) {
                throw new IOException("a block of deflate was altered: " + e.getMessage(), e);
            }
        }

        /// The end of a block may lie behind its last byte.
        private boolean ended() throws DataFormatException {
            return inflater.finished()
                    || (inflater.inflate(ByteBuffer.allocate(1)) == 0 && inflater.finished());
        }

        @Override
        public void close() {
            inflater.end();
        }
    }
}
