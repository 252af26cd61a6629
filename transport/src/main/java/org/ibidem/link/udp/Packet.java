package org.ibidem.link.udp;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/// What stands in front of everything in a datagram. Format: `docs/wire/udp.md`.
///
/// ```
/// 0 "IB" | 2 version u8 | 3 kind u8 | 4 number u32 | 8 to u64 | 16 from u64 (WORD, HEARD) | payload
/// ```
///
/// All numbers are little-endian.
///
/// @param kind [#WORD], [#HEARD], [#DATA] or [#OVER]
/// @param number of a word, or of the word that was heard; 0 in other kinds
/// @param to the receiver's number of the path; 0: it is not known yet
/// @param from the sender's number of the path; 0 where it is not said
record Packet(int kind, int number, long to, long from) {
    /// Something said before the path is used, to be answered with [#HEARD].
    static final int WORD = 1;

    /// A word has come.
    static final int HEARD = 2;

    /// A datagram of the path's user.
    static final int DATA = 3;

    /// The sender has closed its end.
    static final int OVER = 4;

    /// Bytes in front of the payload of [#DATA] and [#OVER].
    static final int SHORT_HEADER = 16;

    /// Bytes in front of the payload of [#WORD] and [#HEARD].
    static final int LONG_HEADER = 24;

    private static final short MAGIC = 'I' | 'B' << 8;
    private static final byte VERSION = 1;

    /// Reads what a datagram begins with, and leaves `in` at the payload.
    ///
    /// @return null when it is nothing of ours
    static @Nullable Packet read(ByteBuffer in) {
        in.order(ByteOrder.LITTLE_ENDIAN);
        if (in.remaining() < SHORT_HEADER || in.getShort() != MAGIC || in.get() != VERSION) {
            return null;
        }
        int kind = in.get();
        int number = in.getInt();
        long to = in.getLong();
        return switch (kind) {
            case DATA, OVER -> new Packet(kind, number, to, 0);
            case WORD, HEARD ->
                    in.remaining() < Long.BYTES ? null : new Packet(kind, number, to, in.getLong());
            default -> null;
        };
    }

    /// Writes it at the buffer's position.
    void write(ByteBuffer out) {
        out.order(ByteOrder.LITTLE_ENDIAN);
        out.putShort(MAGIC).put(VERSION).put((byte) kind).putInt(number).putLong(to);
        if (kind == WORD || kind == HEARD) {
            out.putLong(from);
        }
    }

    /// Writes the header of [#DATA] at the buffer's position.
    static void data(ByteBuffer out, long to) {
        out.order(ByteOrder.LITTLE_ENDIAN);
        out.putShort(MAGIC).put(VERSION).put((byte) DATA).putInt(0).putLong(to);
    }
}
