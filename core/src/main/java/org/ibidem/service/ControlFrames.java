package org.ibidem.service;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import org.ibidem.buffer.Malformed;

/// The bytes of a control link: `docs/wire/control.md`.
///
/// ```
/// 0 length u32 | 4 kind u8 | 5 payload, length bytes
/// ```
final class ControlFrames {
    static final int HEADER_BYTES = 5;
    static final int LONGEST_REASON = 256;

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
            return new String(payload, StandardCharsets.UTF_8);
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

    /// Reads the next frame; blocks.
    ///
    /// @param most longest payload of a message
    /// @throws EOFException when the stream ended, even within a frame: then its sender ended there
    /// @throws Malformed when no peer may send this
    static Received read(ReadableByteChannel channel, int most) throws IOException {
        var header = fill(channel, HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        long length = Integer.toUnsignedLong(header.getInt());
        int kind = header.get();
        int bound =
                switch (kind) {
                    case MESSAGE -> most;
                    case PING, PONG -> 0;
                    case GOODBYE -> LONGEST_REASON;
                    default ->
                            throw new Malformed("a frame of kind " + kind + ", which is not known");
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
        return new Received(kind, fill(channel, (int) length).array());
    }

    private static ByteBuffer fill(ReadableByteChannel channel, int bytes) throws IOException {
        var into = ByteBuffer.allocate(bytes);
        while (into.hasRemaining()) {
            if (channel.read(into) < 0) {
                throw new EOFException();
            }
        }
        return into.flip();
    }
}
