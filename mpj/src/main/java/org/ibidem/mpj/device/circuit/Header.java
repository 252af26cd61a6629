package org.ibidem.mpj.device.circuit;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.ibidem.buffer.Frame;
import org.ibidem.mpj.device.Envelope;
import org.ibidem.mpj.device.Outgoing;

/// How frames between devices begin. Little-endian; the page is `docs/wire/mpj.md`.
///
/// ```
///  0        1         2       4            8                 12        16            20
/// | kind u8 | type u8 | version u16 | source i32 | destination i32 | tag i32 | context i32 | request i32
///  24          32            40
/// | bytes i64 | objects i64 | payload        EAGER, SYNC, START
///
///  0        1       4             8
/// | kind u8 | 0 u24 | request i32 | value i64 | payload        all others
/// ```
final class Header {
    /// The message is here, or begins; the same, and its sender waits for DONE; it is asked for by
    /// REPLY.
    static final int EAGER = 1, SYNC = 2, START = 3;

    /// More of the eager message that has begun.
    static final int REST = 4;

    /// The receiver of START is ready: `value` is the number it gives its request.
    static final int REPLY = 5;

    /// A piece of what was asked for.
    static final int DATA = 6;

    /// The receiver has begun to receive the message of this request.
    static final int DONE = 7;

    /// So many bytes of eager messages have left the receiver's memory.
    static final int CREDIT = 8;

    /// The sender of a SYNC or START wants it back: `value` is its tag, and above it its context.
    static final int CANCEL = 9;

    /// It had not met its receive, and never will.
    static final int CANCELLED = 10;

    /// The version that this process speaks, told to one that has told its own.
    static final int VERSION = 11;

    /// In SYNC and START, as only these can be cancelled. A process of version 1 writes 0, and
    /// knows none of the three kinds above.
    static final int SPOKEN = 2;

    static final int LARGE = 40;
    static final int SMALL = 16;

    static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    static final int SPEAKS = 2;
    static final int SOURCE = 4;
    static final int DESTINATION = 8;
    static final int TAG = 12;
    static final int CONTEXT = 16;
    static final int REQUEST = 20;
    static final int BYTES = 24;
    static final int OBJECTS = 32;

    static final int SMALL_REQUEST = 4;
    static final int VALUE = 8;

    private Header() {}

    /// Writes a small one, and moves past it.
    static void write(Frame room, int kind, int request, long value) {
        var memory = room.memory;
        long at = room.position;
        memory.set(INT, at, kind);
        memory.set(INT, at + SMALL_REQUEST, request);
        memory.set(LONG, at + VALUE, value);
        room.position = at + SMALL;
    }

    /// Writes a large one, and moves past it.
    static void write(Frame room, int kind, int number, Envelope of) {
        var memory = room.memory;
        long at = room.position;
        int version = kind == EAGER ? 0 : SPOKEN;
        memory.set(INT, at, kind | of.type() << 8 | version << 16);
        memory.set(INT, at + REQUEST, number);
        fields(room, of.source(), of.to(), of.tag(), of.context(), of.bytes(), of.objects());
    }

    /// Writes that of an eager message, and moves past it.
    static void eager(Frame room, int source, int to, int tag, int context, Outgoing message) {
        var memory = room.memory;
        long at = room.position;
        memory.set(INT, at, EAGER | (message.type() & 0xFF) << 8);
        memory.set(INT, at + REQUEST, Sending.NONE);
        fields(room, source, to, tag, context, message.bytes(), message.objects());
    }

    private static void fields(
            Frame room, int source, int to, int tag, int context, long bytes, long objects) {
        var memory = room.memory;
        long at = room.position;
        memory.set(INT, at + SOURCE, source);
        memory.set(INT, at + DESTINATION, to);
        memory.set(INT, at + TAG, tag);
        memory.set(INT, at + CONTEXT, context);
        memory.set(LONG, at + BYTES, bytes);
        memory.set(LONG, at + OBJECTS, objects);
        room.position = at + LARGE;
    }

    /// What its sender speaks.
    static int version(MemorySegment memory, long at) {
        return Math.max(1, memory.get(SHORT, at + SPEAKS) & 0xFFFF);
    }

    static int kind(MemorySegment memory, long at) {
        return memory.get(BYTE, at);
    }
}
