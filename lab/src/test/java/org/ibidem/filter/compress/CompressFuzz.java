package org.ibidem.filter.compress;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.ibidem.codec.Deflate;
import org.ibidem.link.ByteStream;
import org.ibidem.wait.Waitable;
import org.jspecify.annotations.Nullable;

/// Whatever comes below the filter, in pieces of any size: the bytes that docs/wire/filters.md says
/// are there, then a violation if there is one.
///
/// The first byte says how large the pieces are, the second how much is read at once.
public final class CompressFuzz {
    private static final int ROOM = 4 * Header.BLOCK;

    private CompressFuzz() {}

    /// Called by the fuzzer.
    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length < 2) {
            return;
        }
        var stream = new Pieces(ByteBuffer.wrap(input).position(2), 1 + (input[0] & 0xFF));
        int most = input[1] == 0 ? ROOM : input[1] & 0xFF;
        var receiving = new Receiving(stream, List.of(new Deflate()));
        var expected = new Expected(ByteBuffer.wrap(input).position(2));
        var room = ByteBuffer.allocateDirect(ROOM);
        var got = new ByteArrayOutputStream();
        boolean broken = false;
        try {
            while (receiving.read(room.clear().limit(most)) > 0 || stream.bytes().hasRemaining()) {
                var some = new byte[room.flip().remaining()];
                room.get(some);
                got.writeBytes(some);
            }
        } catch (IOException _) {
            broken = true;
        }
        if (broken != expected.broken
                || !Arrays.equals(got.toByteArray(), expected.bytes.toByteArray())) {
            throw new AssertionError(
                    "%d bytes, broken: %b; expected: %d, %b"
                            .formatted(got.size(), broken, expected.bytes.size(), expected.broken));
        }
    }

    /// What the page says.
    private static final class Expected {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        boolean broken;

        Expected(ByteBuffer in) {
            in.order(ByteOrder.LITTLE_ENDIAN);
            while (!broken && in.remaining() >= Header.PLAIN) {
                int header = in.getInt();
                int length = header & Header.LENGTH_MASK;
                int codec = header >>> Header.CODEC_SHIFT;
                broken = length == 0 || length > Header.BLOCK || codec > 1;
                if (!broken && codec == 0) {
                    take(in, Math.min(length, in.remaining()));
                } else if (!broken && in.remaining() >= Integer.BYTES) {
                    long grown = Integer.toUnsignedLong(in.getInt());
                    broken = grown == 0 || grown > Header.BLOCK;
                    if (in.remaining() < length) {
                        return;
                    }
                    broken = broken || !grows(in, length, (int) grown);
                }
            }
        }

        private void take(ByteBuffer in, int count) {
            var some = new byte[count];
            in.get(some);
            bytes.writeBytes(some);
        }

        private boolean grows(ByteBuffer in, int length, int grown) {
            var inflater = new Inflater(true);
            try {
                var from = new byte[length];
                in.get(from);
                inflater.setInput(from);
                var to = new byte[grown + 1];
                int got = 0;
                int more;
                do {
                    more = inflater.inflate(to, got, to.length - got);
                    got += more;
                } while (more > 0);
                if (got != grown || !inflater.finished() || inflater.getRemaining() > 0) {
                    return false;
                }
                bytes.write(to, 0, grown);
                return true;
            } catch (DataFormatException _) {
                return false;
            } finally {
                inflater.end();
            }
        }
    }

    private record Pieces(ByteBuffer bytes, int most) implements ByteStream {
        @Override
        public int write(ByteBuffer from) {
            throw new AssertionError("nobody writes");
        }

        @Override
        public int read(ByteBuffer into) {
            int some = Math.min(Math.min(most, bytes.remaining()), into.remaining());
            into.put(bytes.slice(bytes.position(), some));
            bytes.position(bytes.position() + some);
            return some;
        }

        @Override
        public @Nullable Waitable readable() {
            return null;
        }

        @Override
        public @Nullable Waitable writable() {
            return null;
        }

        @Override
        public void close() {}
    }
}
