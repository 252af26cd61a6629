package org.ibidem.port;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.ibidem.buffer.Run;

/// How values lie in a message: unaligned, in the byte order of the machine that writes them.
final class Layouts {
    static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
    static final ValueLayout.OfChar CHAR = ValueLayout.JAVA_CHAR_UNALIGNED;
    static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
    static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE_UNALIGNED;

    /// Lengths and numbers, whatever the machine.
    static final ValueLayout.OfLong LITTLE =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /// Room a message asks for at least: more than a tag, a length and the largest primitive,
    /// little enough to be found at a ring's end.
    static final int FIRST = 64;

    private Layouts() {}

    /// Copies elements of an array into a message. Each kind has a call of its own: where the
    /// compiler does not know array and layout, a copy takes 150 instructions more.
    static void write(
            int primitive, Object array, int index, MemorySegment to, long at, int count) {
        switch (primitive) {
            case Run.BYTE -> MemorySegment.copy((byte[]) array, index, to, BYTE, at, count);
            case Run.CHAR -> MemorySegment.copy((char[]) array, index, to, CHAR, at, count);
            case Run.SHORT -> MemorySegment.copy((short[]) array, index, to, SHORT, at, count);
            case Run.INT -> MemorySegment.copy((int[]) array, index, to, INT, at, count);
            case Run.FLOAT -> MemorySegment.copy((float[]) array, index, to, FLOAT, at, count);
            case Run.LONG -> MemorySegment.copy((long[]) array, index, to, LONG, at, count);
            case Run.DOUBLE -> MemorySegment.copy((double[]) array, index, to, DOUBLE, at, count);
            default -> throw unknown(primitive);
        }
    }

    /// Copies elements of a message into an array.
    static void read(
            int primitive, MemorySegment from, long at, Object array, int index, int count) {
        switch (primitive) {
            case Run.BYTE -> MemorySegment.copy(from, BYTE, at, (byte[]) array, index, count);
            case Run.CHAR -> MemorySegment.copy(from, CHAR, at, (char[]) array, index, count);
            case Run.SHORT -> MemorySegment.copy(from, SHORT, at, (short[]) array, index, count);
            case Run.INT -> MemorySegment.copy(from, INT, at, (int[]) array, index, count);
            case Run.FLOAT -> MemorySegment.copy(from, FLOAT, at, (float[]) array, index, count);
            case Run.LONG -> MemorySegment.copy(from, LONG, at, (long[]) array, index, count);
            case Run.DOUBLE -> MemorySegment.copy(from, DOUBLE, at, (double[]) array, index, count);
            default -> throw unknown(primitive);
        }
    }

    private static IllegalArgumentException unknown(int primitive) {
        return new IllegalArgumentException("no array of kind " + primitive);
    }
}
