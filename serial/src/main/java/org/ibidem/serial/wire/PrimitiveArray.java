package org.ibidem.serial.wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Arrays of primitives that lie in the stream as in memory: all but `boolean[]`.
public enum PrimitiveArray {
    /// `byte[]`
    BYTE(byte[].class, ValueLayout.JAVA_BYTE),
    /// `short[]`
    SHORT(short[].class, ValueLayout.JAVA_SHORT_UNALIGNED),
    /// `char[]`
    CHAR(char[].class, ValueLayout.JAVA_CHAR_UNALIGNED),
    /// `int[]`
    INT(int[].class, ValueLayout.JAVA_INT_UNALIGNED),
    /// `long[]`
    LONG(long[].class, ValueLayout.JAVA_LONG_UNALIGNED),
    /// `float[]`
    FLOAT(float[].class, ValueLayout.JAVA_FLOAT_UNALIGNED),
    /// `double[]`
    DOUBLE(double[].class, ValueLayout.JAVA_DOUBLE_UNALIGNED);

    private final Class<?> type;

    @SuppressWarnings("ImmutableEnumChecker") // layouts are immutable, and do not say so
    private final ValueLayout layout;

    private final int size;

    PrimitiveArray(Class<?> type, ValueLayout layout) {
        this.type = type;
        this.layout = layout;
        this.size = (int) layout.byteSize();
    }

    /// The array class.
    public Class<?> type() {
        return type;
    }

    /// Bytes of an element.
    public int size() {
        return size;
    }

    /// Copies elements out of memory.
    public void load(MemorySegment from, long at, Object array, int offset, int count) {
        MemorySegment.copy(from, layout, at, array, offset, count);
    }

    /// Copies elements into memory.
    public void store(Object array, int offset, MemorySegment to, long at, int count) {
        MemorySegment.copy(array, offset, to, layout, at, count);
    }

    /// Its length.
    public int length(Object array) {
        return switch (this) {
            case BYTE -> ((byte[]) array).length;
            case SHORT -> ((short[]) array).length;
            case CHAR -> ((char[]) array).length;
            case INT -> ((int[]) array).length;
            case LONG -> ((long[]) array).length;
            case FLOAT -> ((float[]) array).length;
            case DOUBLE -> ((double[]) array).length;
        };
    }

    /// A new array.
    public Object make(int length) {
        return switch (this) {
            case BYTE -> new byte[length];
            case SHORT -> new short[length];
            case CHAR -> new char[length];
            case INT -> new int[length];
            case LONG -> new long[length];
            case FLOAT -> new float[length];
            case DOUBLE -> new double[length];
        };
    }

    /// Turns round the bytes of each element.
    void swap(Object array, int count) {
        switch (array) {
            case short[] a -> swap(a, count);
            case char[] a -> swap(a, count);
            case int[] a -> swap(a, count);
            case long[] a -> swap(a, count);
            case float[] a -> swap(a, count);
            case double[] a -> swap(a, count);
            default -> {
                // bytes
            }
        }
    }

    private static void swap(short[] a, int count) {
        for (int i = 0; i < count; i++) {
            a[i] = Short.reverseBytes(a[i]);
        }
    }

    private static void swap(char[] a, int count) {
        for (int i = 0; i < count; i++) {
            a[i] = Character.reverseBytes(a[i]);
        }
    }

    private static void swap(int[] a, int count) {
        for (int i = 0; i < count; i++) {
            a[i] = Integer.reverseBytes(a[i]);
        }
    }

    private static void swap(long[] a, int count) {
        for (int i = 0; i < count; i++) {
            a[i] = Long.reverseBytes(a[i]);
        }
    }

    private static void swap(float[] a, int count) {
        for (int i = 0; i < count; i++) {
            a[i] = Float.intBitsToFloat(Integer.reverseBytes(Float.floatToRawIntBits(a[i])));
        }
    }

    private static void swap(double[] a, int count) {
        for (int i = 0; i < count; i++) {
            a[i] = Double.longBitsToDouble(Long.reverseBytes(Double.doubleToRawLongBits(a[i])));
        }
    }
}
