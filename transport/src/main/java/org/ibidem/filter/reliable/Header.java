package org.ibidem.filter.reliable;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// What stands in front of each frame. Format: `docs/wire/reliable.md`.
///
/// ```
/// 0 number i32 | 4 acknowledged i32 | 8 limit i32 | 12 kind u8 | 13 flags u8 | 14 gap u8 | 15 zero u8 | payload
/// ```
///
/// All numbers are little-endian, and are compared by their difference, since they go round.
///
/// @param number of the frame, counted from 0 in its direction; of a word the next one
/// @param acknowledged all frames of the other direction before this number have come
/// @param limit the other direction may send frames before this number
/// @param kind [#FRAME], [#WORD] or [#QUESTION]
/// @param flags of the frame
/// @param gap whether what is missing next was most likely lost: frames well behind it have come
record Header(int number, int acknowledged, int limit, int kind, int flags, boolean gap) {
    /// A frame of the link's user.
    static final int FRAME = 0;

    /// Nothing but what the header says.
    static final int WORD = 1;

    /// The same, to be answered at once.
    static final int QUESTION = 2;

    /// Bytes of it.
    static final int BYTES = 16;

    private static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final int ACKNOWLEDGED = 4;
    private static final int LIMIT = 8;
    private static final int KIND = 12;
    private static final int FLAGS = 13;
    private static final int GAP = 14;
    private static final int ZERO = 15;

    static Header read(MemorySegment memory, long at) {
        return new Header(
                memory.get(INT, at),
                memory.get(INT, at + ACKNOWLEDGED),
                memory.get(INT, at + LIMIT),
                memory.get(ValueLayout.JAVA_BYTE, at + KIND),
                memory.get(ValueLayout.JAVA_BYTE, at + FLAGS),
                memory.get(ValueLayout.JAVA_BYTE, at + GAP) != 0);
    }

    void write(MemorySegment memory, long at) {
        memory.set(INT, at, number);
        memory.set(INT, at + ACKNOWLEDGED, acknowledged);
        memory.set(INT, at + LIMIT, limit);
        memory.set(ValueLayout.JAVA_BYTE, at + KIND, (byte) kind);
        memory.set(ValueLayout.JAVA_BYTE, at + FLAGS, (byte) flags);
        memory.set(ValueLayout.JAVA_BYTE, at + GAP, (byte) (gap ? 1 : 0));
        memory.set(ValueLayout.JAVA_BYTE, at + ZERO, (byte) 0);
    }
}
