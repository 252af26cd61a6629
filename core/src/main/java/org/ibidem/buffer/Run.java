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
/// Tags are little-endian; values are in the byte order of the machine that wrote them. Format:
/// `docs/wire/ports.md`.
public final class Run {
    /// Bytes of a tag.
    public static final int TAG = 4;

    /// Bytes of an array's or string's length, which follows the tag of its first run.
    public static final int LENGTH = 8;

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

    /// How many kinds there are.
    public static final int KINDS = 20;

    /// Flag: the array, string or object goes on from an earlier run.
    public static final int CONTINUED = 1 << 29;

    /// Flag: the object goes on in a later run.
    public static final int UNFINISHED = 1 << 30;

    /// Most values in one run.
    public static final int MOST = 0xFF_FFFF;

    private static final int KIND_SHIFT = 24;
    private static final int KIND_MASK = 0x1F;
    private static final int FLAGS = CONTINUED | UNFINISHED;

    private static final ValueLayout.OfInt LITTLE =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /// log2 of the bytes of one value, two bits for each kind; arrays as their elements. A number,
    /// as the compiler knows what is in it.
    private static final long SHIFTS = 0x30_FA50_FA50L;

    private static final String[] NAMES = {
        "boolean", "byte", "char", "short", "int", "float", "long", "double",
        "boolean[]", "byte[]", "char[]", "short[]", "int[]", "float[]", "long[]", "double[]",
        "string", "object", "number", "class description"
    };

    private Run() {}

    /// Writes a tag.
    public static void write(MemorySegment memory, long at, int kind, long count, int flags) {
        memory.set(LITTLE, at, (int) count | kind << KIND_SHIFT | flags);
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
        return header(tag) + ((long) count(tag) << shift(kind)) <= left;
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
