package org.ibidem.connect.routed;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.ibidem.buffer.ControlWriter;
import org.ibidem.buffer.Malformed;
import org.ibidem.topology.NodeId;

/// The bytes of a trunk, the connection of a node to its hub that carries its routed streams:
/// `docs/wire/routed.md`.
///
/// ```
/// 31   24 23            0
/// | kind | length        | stream u32 | payload, `length` bytes |        little-endian
/// ```
public final class RoutedFrames {
    /// Bytes before each payload.
    public static final int HEADER = 8;

    /// The largest payload of DATA.
    public static final int MOST_DATA = 16 << 10;

    /// The most bytes a stream's reader may have granted and not yet read.
    public static final int MOST_CREDIT = 1 << 30;

    /// A stream is opened: who is at its other end, and what may be sent to this one.
    public static final int OPEN = 1;

    /// So many more bytes may be sent.
    public static final int GRANT = 2;

    /// Bytes of the stream.
    public static final int DATA = 3;

    /// This direction has ended, in order.
    public static final int END = 4;

    /// The whole stream is over, and why.
    public static final int RESET = 5;

    /// Is anybody there?
    public static final int PING = 6;

    /// Yes.
    public static final int PONG = 7;

    /// The payload of OPEN.
    public static final int OPEN_BYTES = NodeId.BYTES + Integer.BYTES;

    /// The longest reason of a RESET, in bytes of UTF-8.
    public static final int LONGEST_REASON = 512;

    private static final int LENGTH_MASK = 0xFF_FFFF;
    private static final int KIND_SHIFT = 24;

    private RoutedFrames() {}

    /// The kind in the first word of a header.
    public static int kind(int word) {
        return word >>> KIND_SHIFT;
    }

    /// The payload's length in the first word of a header.
    public static int length(int word) {
        return word & LENGTH_MASK;
    }

    /// The first word of a header.
    public static int word(int kind, int length) {
        return kind << KIND_SHIFT | length;
    }

    /// Looks whether such a header may be.
    ///
    /// @throws Malformed when no peer may send it
    public static void check(int word, int stream) {
        int kind = kind(word);
        int length = length(word);
        boolean fits =
                switch (kind) {
                    case OPEN -> length == OPEN_BYTES;
                    case GRANT -> length == Integer.BYTES;
                    case DATA -> length > 0 && length <= MOST_DATA;
                    case RESET -> length <= LONGEST_REASON;
                    case END, PING, PONG -> length == 0;
                    default -> throw new Malformed("a frame of kind " + kind + ", which is none");
                };
        if (!fits) {
            throw new Malformed("a frame of kind " + kind + " with " + length + " bytes");
        }
        if ((kind == PING || kind == PONG) != (stream == 0)) {
            throw new Malformed("a frame of kind " + kind + " on stream " + stream);
        }
    }

    /// Looks whether so much may be granted.
    ///
    /// @throws Malformed when no peer may grant it
    public static int credit(int granted) {
        if (granted < 0 || granted > MOST_CREDIT) {
            throw new Malformed("a grant of " + Integer.toUnsignedString(granted) + " bytes");
        }
        return granted;
    }

    /// Gets frames.
    @FunctionalInterface
    interface Taker {
        /// Takes one.
        ///
        /// @param payload between position and limit, little-endian
        void take(int kind, int stream, ByteBuffer payload);
    }

    /// Gives on all frames that have wholly come; `from` is behind them then.
    ///
    /// @throws Malformed when no peer may send this
    static void takeAll(ByteBuffer from, Taker taker) {
        while (from.remaining() >= HEADER) {
            int word = from.getInt(from.position());
            int number = from.getInt(from.position() + Integer.BYTES);
            check(word, number);
            int payload = from.position() + HEADER;
            int end = payload + length(word);
            int limit = from.limit();
            if (end > limit) {
                return;
            }
            taker.take(kind(word), number, from.position(payload).limit(end));
            from.limit(limit).position(end);
        }
    }

    /// Memory to read frames into, or to write them from.
    static ByteBuffer memory(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /// A frame without payload.
    public static byte[] bare(int kind, int stream) {
        return start(kind, stream, 0).array();
    }

    /// Whom an OPEN names; its credit follows.
    static NodeId peer(ByteBuffer payload) {
        payload.order(ByteOrder.BIG_ENDIAN); // a node's id has the order of the hash
        var peer = new NodeId(payload.getLong(), payload.getLong());
        payload.order(ByteOrder.LITTLE_ENDIAN);
        return peer;
    }

    /// OPEN.
    public static byte[] open(int stream, NodeId peer, int credit) {
        return start(OPEN, stream, OPEN_BYTES)
                .order(ByteOrder.BIG_ENDIAN) // a node's id has the order of the hash
                .putLong(peer.high())
                .putLong(peer.low())
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(credit)
                .array();
    }

    /// GRANT.
    public static byte[] grant(int stream, int credit) {
        return start(GRANT, stream, Integer.BYTES).putInt(credit).array();
    }

    /// RESET.
    public static byte[] reset(int stream, String why) {
        var reason = ControlWriter.shortened(why, LONGEST_REASON).getBytes(StandardCharsets.UTF_8);
        return start(RESET, stream, reason.length).put(reason).array();
    }

    private static ByteBuffer start(int kind, int stream, int length) {
        return ByteBuffer.allocate(HEADER + length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(word(kind, length))
                .putInt(stream);
    }
}
