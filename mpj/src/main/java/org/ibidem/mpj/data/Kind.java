package org.ibidem.mpj.data;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;

/// The basic datatypes: of what the elements of arrays are. On the way they are little-endian.
public enum Kind {
    /// None: of the markers of bounds.
    NONE(0, 0, Object.class),
    /// `byte[]`
    BYTE(1, 1, byte[].class),
    /// `char[]`
    CHAR(2, 2, char[].class),
    /// `short[]`
    SHORT(3, 2, short[].class),
    /// `boolean[]`, each a byte
    BOOLEAN(4, 1, boolean[].class),
    /// `int[]`
    INT(5, 4, int[].class),
    /// `long[]`
    LONG(6, 8, long[].class),
    /// `float[]`
    FLOAT(7, 4, float[].class),
    /// `double[]`
    DOUBLE(8, 8, double[].class),
    /// `byte[]` that hold what was packed, of whatever type
    PACKED(9, 1, byte[].class),
    /// `Object[]`
    OBJECT(12, 1, Object[].class);

    static final ValueLayout.OfChar CHARS =
            ValueLayout.JAVA_CHAR_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfShort SHORTS =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfInt INTS =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfLong LONGS =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfFloat FLOATS =
            ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfDouble DOUBLES =
            ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final Kind[] BY_CODE = new Kind[16];

    static {
        Arrays.fill(BY_CODE, NONE);
        for (Kind kind : values()) {
            BY_CODE[kind.code] = kind;
        }
    }

    private final int code;
    private final int size;
    private final Class<?> array;

    Kind(int code, int size, Class<?> array) {
        this.code = code;
        this.size = size;
        this.array = array;
    }

    /// Its number, which travels with messages.
    public int code() {
        return code;
    }

    /// Bytes of an element; of objects those of the static section.
    public int size() {
        return size;
    }

    /// The same, and 1 where elements have none.
    public int sizeOrOne() {
        return Math.max(1, size);
    }

    /// The kind with this number, or [#NONE].
    public static Kind of(int code) {
        return code >= 0 && code < BY_CODE.length ? BY_CODE[code] : NONE;
    }

    /// Whether a message of that kind may be received as this one.
    public boolean takes(int sent) {
        return code == sent
                || (this != OBJECT && sent == PACKED.code)
                || (this == PACKED && sent != OBJECT.code);
    }

    /// Whether this is an array of such elements.
    public boolean isArray(Object buffer) {
        return array.isInstance(buffer);
    }

    /// What it wants for a buffer, for people.
    public String arrayName() {
        return array.getSimpleName();
    }

    /// The length of an array of such elements.
    public int length(Object buffer) {
        return switch (this) {
            case BYTE, PACKED -> ((byte[]) buffer).length;
            case CHAR -> ((char[]) buffer).length;
            case SHORT -> ((short[]) buffer).length;
            case BOOLEAN -> ((boolean[]) buffer).length;
            case INT -> ((int[]) buffer).length;
            case LONG -> ((long[]) buffer).length;
            case FLOAT -> ((float[]) buffer).length;
            case DOUBLE -> ((double[]) buffer).length;
            case OBJECT -> ((Object[]) buffer).length;
            case NONE -> 0;
        };
    }

    /// A new array of such elements.
    public Object make(int length) {
        return switch (this) {
            case BYTE, PACKED, NONE -> new byte[length];
            case CHAR -> new char[length];
            case SHORT -> new short[length];
            case BOOLEAN -> new boolean[length];
            case INT -> new int[length];
            case LONG -> new long[length];
            case FLOAT -> new float[length];
            case DOUBLE -> new double[length];
            case OBJECT -> new Object[length];
        };
    }

    /// Writes elements that lie beside each other.
    void store(Object from, int index, MemorySegment to, long at, int count) {
        switch (this) {
            case BOOLEAN -> {
                boolean[] values = (boolean[]) from;
                for (int i = 0; i < count; i++) {
                    to.set(ValueLayout.JAVA_BYTE, at + i, (byte) (values[index + i] ? 1 : 0));
                }
            }
            case OBJECT, NONE -> throw new IllegalStateException("objects are serialized");
            default -> MemorySegment.copy(from, index, to, layout(), at, count);
        }
    }

    /// Reads elements that lie beside each other.
    void load(Object into, int index, MemorySegment from, long at, int count) {
        switch (this) {
            case BOOLEAN -> {
                boolean[] values = (boolean[]) into;
                for (int i = 0; i < count; i++) {
                    values[index + i] = from.get(ValueLayout.JAVA_BYTE, at + i) != 0;
                }
            }
            case OBJECT, NONE -> throw new IllegalStateException("objects are serialized");
            default -> MemorySegment.copy(from, layout(), at, into, index, count);
        }
    }

    private ValueLayout layout() {
        return switch (this) {
            case CHAR -> CHARS;
            case SHORT -> SHORTS;
            case INT -> INTS;
            case LONG -> LONGS;
            case FLOAT -> FLOATS;
            case DOUBLE -> DOUBLES;
            default -> ValueLayout.JAVA_BYTE;
        };
    }
}
