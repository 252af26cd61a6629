package org.ibidem.buffer;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// The runs that the payload of a checked message consists of: values of one kind behind each
/// other, and a tag in front that says which kind and how many. A run never lies in two frames, so
/// each frame can be read by itself.
///
/// ```
/// 31    29 28  24 23                    0
/// | flags | kind | values in this frame  | values ...
/// ```
///
/// A *row* is a few primitives of any kinds, and its tag says the kind of each: 8 and the kind, in
/// four bits, the first one's on top; those that are not needed are 0.
///
/// ```
/// 31    24 23  20 19  16 15  12 11   8 7    4 3    0
/// |  ROW  | 1st  | 2nd  | 3rd  | 4th  | 5th  | 6th  | values ...
/// ```
///
/// Tags are little-endian; values are in the byte order of the machine that wrote them. Format:
/// `docs/wire/ports.md`.
public final class Run {
    /// Bytes of a tag.
    public static final int TAG = 4;

    /// Bytes of an array's or string's length, which follows the tag of its first run.
    public static final int LENGTH = 8;

    /// The length of a string that is null.
    public static final long NO_STRING = -1;

    /// Kinds of values: the eight primitives.
    public static final int BOOLEAN = 0, BYTE = 1, CHAR = 2, SHORT = 3;

    /// Kinds of values: the eight primitives.
    public static final int INT = 4, FLOAT = 5, LONG = 6, DOUBLE = 7;

    /// Added to a primitive's kind: the values are elements of an array.
    public static final int ARRAY = 8;

    /// A string, in UTF-8: its values are bytes.
    public static final int STRING = 16;

    /// An object graph, as its serializer wrote it: its values are bytes.
    public static final int OBJECT = 17;

    /// The number of the message: one long, always little-endian.
    public static final int NUMBER = 18;

    /// What the reader of objects must know of a class: its values are bytes. It lies between two
    /// runs of one object, and is of use even when nobody reads that.
    public static final int DESCRIPTION = 19;

    /// Up to six primitives, of any kinds.
    public static final int ROW = 20;

    /// Added to a primitive's kind in the tag of a row.
    public static final int IN_ROW = 8;

    /// How many kinds there are.
    public static final int KINDS = 21;

    /// Flag: the array, string or object goes on from an earlier run.
    public static final int CONTINUED = 1 << 29;

    /// Flag: the object goes on in a later run.
    public static final int UNFINISHED = 1 << 30;

    /// Most values in one run.
    public static final int MOST = 0xFF_FFFF;

    private static final int KIND_SHIFT = 24;
    private static final int KIND_BITS = 4;
    private static final int KIND_MASK = 0x1F;

    private static final int FLAGS = CONTINUED | UNFINISHED;

    /// The bit of each value in the kinds of a row.
    private static final long VALUES = 0x8888_8888L;

    private static final ValueLayout.OfInt LITTLE =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /// log2 of the bytes of one value, two bits for each kind; arrays as their elements. A number,
    /// as the compiler knows what is in it.
    private static final long SHIFTS = 0x30_FA50_FA50L;

    private static final String[] NAMES = {
        "boolean", "byte", "char", "short", "int", "float", "long", "double",
        "boolean[]", "byte[]", "char[]", "short[]", "int[]", "float[]", "long[]", "double[]",
        "string", "object", "number", "class description", "row"
    };

    private Run() {}

    /// Writes a tag.
    public static void write(MemorySegment memory, long at, int kind, long count, int flags) {
        memory.set(LITTLE, at, (int) count | kind << KIND_SHIFT | flags);
    }

    /// Writes the tag of a row.
    ///
    /// @param row a 1, and the bits of each kind below it, the last one's at the bottom
    public static void writeRow(MemorySegment memory, long at, int row) {
        int kinds =
                (row << (Integer.numberOfLeadingZeros(row) + 1)) >>> (Integer.SIZE - KIND_SHIFT);
        memory.set(LITTLE, at, kinds | ROW << KIND_SHIFT);
    }

    /// Reads a tag.
    public static int read(MemorySegment memory, long at) {
        return memory.get(LITTLE, at);
    }

    /// The kind a tag names; may be none of ours, see [#valid].
    public static int kind(int tag) {
        return tag >>> KIND_SHIFT & KIND_MASK;
    }

    /// The number of values in this frame.
    public static int count(int tag) {
        return tag & MOST;
    }

    /// Whether some writer of ours can have written this tag, with `left` bytes behind it.
    public static boolean valid(int tag, long left) {
        int kind = kind(tag);
        if (kind >= KINDS || (tag & ~(FLAGS | KIND_MASK << KIND_SHIFT | MOST)) != 0) {
            return false;
        }
        long size = size(tag);
        return size >= 0 && size <= left;
    }

    /// Bytes behind a tag until the next one; -1: no writer of ours makes such a row.
    public static long size(int tag) {
        return kind(tag) == ROW
                ? sizeOfRow(tag)
                : header(tag) + ((long) count(tag) << shift(kind(tag)));
    }

    private static long sizeOfRow(int tag) {
        int rest = kinds(tag);
        while (rest < 0) {
            rest <<= KIND_BITS;
        }
        return isRow(tag) && rest == 0 ? ofRow(kinds(tag)) : -1;
    }

    /// Bytes of the values of a row whose kinds are on top.
    public static long ofRow(int kinds) {
        long bytes = 0;
        for (int left = kinds; left < 0; left <<= KIND_BITS) {
            bytes += 1L << shift(first(left));
        }
        return bytes;
    }

    /// Whether this is the tag of a row, of one value at least.
    public static boolean isRow(int tag) {
        return tag >>> (KIND_SHIFT - 1) == (ROW << 1 | 1);
    }

    /// Whether these are the kinds of all values of a row, of which none was turned away.
    public static boolean isWhole(int kinds) {
        return kinds < 0 && kinds << (Integer.SIZE - KIND_BITS) == 0;
    }

    /// Whether all values of a row were read: their kinds, turned round by four bits for each, end
    /// at the bottom, and there is nothing above them. Not so where a row has a gap.
    public static boolean isOver(int kinds) {
        return kinds >= 0 && (kinds & VALUES) == VALUES >>> Integer.numberOfLeadingZeros(kinds);
    }

    /// Whether this is the tag of a row that begins with such a primitive.
    ///
    /// @param left bytes behind the tag
    public static boolean startsRow(int tag, int kind, long left) {
        return tag >>> (KIND_SHIFT - KIND_BITS) == ((ROW << KIND_BITS) | IN_ROW | kind)
                && left >= 1L << shift(kind);
    }

    /// The kinds of the values of a row, the first one's bits on top.
    public static int kinds(int tag) {
        return tag << (Integer.SIZE - KIND_SHIFT);
    }

    /// The same of a run of so many primitives that there is no end of them.
    public static int alike(int kind) {
        return (IN_ROW | kind) * 0x1111_1111;
    }

    /// The kind of the first value behind a tag.
    public static int firstKind(int tag) {
        return kind(tag) == ROW ? first(kinds(tag)) : kind(tag);
    }

    /// The kind whose bits are on top of these.
    public static int first(int kinds) {
        return kinds >>> (Integer.SIZE - KIND_BITS) & ~IN_ROW;
    }

    /// The bytes of the values behind the tag of a run of this primitive kind that is all here and
    /// not empty; else 0.
    ///
    /// @param left bytes behind the tag
    public static long ofPrimitives(int tag, int kind, long left) {
        long bytes = (long) (tag & MOST) << shift(kind);
        return tag >>> KIND_SHIFT == kind && bytes <= left ? bytes : 0;
    }

    /// Bytes between the tag and the values: the length, in the first run of an array or string.
    public static int header(int tag) {
        int kind = kind(tag);
        return kind >= ARRAY && kind <= STRING && (tag & CONTINUED) == 0 ? LENGTH : 0;
    }

    /// log2 of the bytes of one value of this kind.
    public static int shift(int kind) {
        return (int) (SHIFTS >>> (kind << 1)) & 3;
    }

    /// The kind's name, for people.
    public static String name(int kind) {
        return kind < KINDS ? NAMES[kind] : "kind " + kind;
    }
}
