package org.ibidem.control;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import org.ibidem.Visible;
import org.ibidem.buffer.Malformed;
import org.jspecify.annotations.Nullable;

/// The bytes of a control link: `docs/wire/control.md`.
///
/// ```
/// 0 length u32 | 4 kind u8 | 5 payload, length bytes
/// ```
final class ControlFrames {
    static final int HEADER_BYTES = 5;
    static final int LONGEST_REASON = 256;
    private static final int KIND_AT = 4;

    static final int MESSAGE = 0;
    static final int PING = 1;
    static final int PONG = 2;
    static final int GOODBYE = 3;

    private ControlFrames() {}

    /// One frame as it arrived.
    static final class Received {
        final int kind;
        final byte[] payload;

        Received(int kind, byte[] payload) {
            this.kind = kind;
            this.payload = payload;
        }

        String text() {
            return Visible.of(new String(payload, StandardCharsets.UTF_8));
        }
    }

    static ByteBuffer frame(int kind, byte[] payload) {
        return ByteBuffer.allocate(HEADER_BYTES + payload.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(payload.length)
                .put((byte) kind)
                .put(payload)
                .flip();
    }

    static ByteBuffer goodbye(String reason) {
        var bytes = reason.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(bytes.length, LONGEST_REASON);
        while (length < bytes.length && (bytes[length] & 0xc0) == 0x80) {
            length--; // never half a character
        }
        return frame(GOODBYE, java.util.Arrays.copyOf(bytes, length));
    }

    /// Reads frames one after the other from a channel that need not wait for them; keeps what has
    /// come of one.
    static final class Reader {
        private final int most;
        private final ByteBuffer header =
                ByteBuffer.allocate(HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        private @Nullable ByteBuffer payload;

        /// @param most longest payload of a message
        Reader(int most) {
            this.most = most;
        }

        /// The next frame, or null: it has not wholly come.
        ///
        /// @throws EOFException when the stream ended, even within a frame: then its sender ended
        ///   there
        /// @throws Malformed when no peer may send this
        @Nullable Received next(ReadableByteChannel channel) throws IOException {
            var into = payload;
            if (into == null) {
                if (!fill(header, channel)) {
                    return null;
                }
                into = ByteBuffer.allocate(length());
                payload = into;
            }
            if (!fill(into, channel)) {
                return null;
            }
            payload = null;
            header.clear();
            return new Received(header.get(KIND_AT), into.array());
        }

        private int length() {
            long length = Integer.toUnsignedLong(header.getInt(0));
            int kind = header.get(KIND_AT);
            int bound =
                    switch (kind) {
                        case MESSAGE -> most;
                        case PING, PONG -> 0;
                        case GOODBYE -> LONGEST_REASON;
                        default ->
                                throw new Malformed(
                                        "a frame of kind " + kind + ", which is not known");
                    };
            if (length > bound) {
                throw new Malformed(
                        "a frame of kind "
                                + kind
                                + " with "
                                + length
                                + " bytes, but at most "
                                + bound
                                + " are allowed");
            }
            return (int) length;
        }

        private static boolean fill(ByteBuffer into, ReadableByteChannel channel)
                throws IOException {
            while (into.hasRemaining()) {
                int read = channel.read(into);
                if (read < 0) {
                    throw new EOFException();
                }
                if (read == 0) {
                    return false;
                }
            }
            return true;
        }
    }
}
