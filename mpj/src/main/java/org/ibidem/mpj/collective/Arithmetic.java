package org.ibidem.mpj.collective;

import java.util.function.DoubleBinaryOperator;
import java.util.function.IntBinaryOperator;
import java.util.function.LongBinaryOperator;
import org.ibidem.mpj.ErrorClass;
import org.ibidem.mpj.Fault;
import org.ibidem.mpj.data.Kind;
import org.ibidem.mpj.data.Part;
import org.jspecify.annotations.Nullable;

/// The predefined operations that combine element with element.
///
/// @param name for people
/// @param ints of bytes, chars, shorts and ints, or null where there is none
/// @param longs of longs, or null
/// @param doubles of floats and doubles, or null
/// @param booleans of booleans as 0 and 1, or null
public record Arithmetic(
        String name,
        @Nullable IntBinaryOperator ints,
        @Nullable LongBinaryOperator longs,
        @Nullable DoubleBinaryOperator doubles,
        @Nullable IntBinaryOperator booleans)
        implements Reduction.Combine {
    /// The greater.
    public static final Arithmetic MAX =
            new Arithmetic("MAX", Math::max, Math::max, Math::max, null);

    /// The lesser.
    public static final Arithmetic MIN =
            new Arithmetic("MIN", Math::min, Math::min, Math::min, null);

    /// The sum.
    public static final Arithmetic SUM =
            new Arithmetic("SUM", Integer::sum, Long::sum, Double::sum, null);

    /// The product.
    public static final Arithmetic PROD =
            new Arithmetic("PROD", (a, b) -> a * b, (a, b) -> a * b, (a, b) -> a * b, null);

    /// Both are true.
    public static final Arithmetic LAND =
            new Arithmetic(
                    "LAND",
                    (a, b) -> a != 0 && b != 0 ? 1 : 0,
                    (a, b) -> a != 0 && b != 0 ? 1 : 0,
                    null,
                    (a, b) -> a & b);

    /// One is true, or both.
    public static final Arithmetic LOR =
            new Arithmetic(
                    "LOR",
                    (a, b) -> (a | b) != 0 ? 1 : 0,
                    (a, b) -> (a | b) != 0 ? 1 : 0,
                    null,
                    (a, b) -> a | b);

    /// One is true.
    public static final Arithmetic LXOR =
            new Arithmetic(
                    "LXOR",
                    (a, b) -> a != 0 ^ b != 0 ? 1 : 0,
                    (a, b) -> a != 0 ^ b != 0 ? 1 : 0,
                    null,
                    (a, b) -> a ^ b);

    /// Bits of both.
    public static final Arithmetic BAND =
            new Arithmetic("BAND", (a, b) -> a & b, (a, b) -> a & b, null, (a, b) -> a & b);

    /// Bits of one or both.
    public static final Arithmetic BOR =
            new Arithmetic("BOR", (a, b) -> a | b, (a, b) -> a | b, null, (a, b) -> a | b);

    /// Bits of one.
    public static final Arithmetic BXOR =
            new Arithmetic("BXOR", (a, b) -> a ^ b, (a, b) -> a ^ b, null, (a, b) -> a ^ b);

    @Override
    public void combine(Part left, Part inout) {
        Kind kind = left.shape().kind();
        check(kind);
        Part.pairs(left, inout, (i, j, count) -> run(left.array(), i, inout.array(), j, count));
    }

    /// Refuses kinds it is not for.
    public void check(Kind kind) {
        boolean has =
                switch (kind) {
                    case BYTE, CHAR, SHORT, INT -> ints != null;
                    case LONG -> longs != null;
                    case FLOAT, DOUBLE -> doubles != null;
                    case BOOLEAN -> booleans != null;
                    default -> false;
                };
        Fault.unless(has, ErrorClass.OP, name + " is no operation on " + kind);
    }

    private void run(Object left, int at, Object inout, int into, int count) {
        switch (inout) {
            case int[] b -> ints((int[]) left, at, b, into, count);
            case double[] b -> doubles((double[]) left, at, b, into, count);
            case long[] b -> longs((long[]) left, at, b, into, count);
            case float[] b -> floats((float[]) left, at, b, into, count);
            default -> smaller(left, at, inout, into, count);
        }
    }

    private void smaller(Object left, int at, Object inout, int into, int count) {
        IntBinaryOperator of = inout instanceof boolean[] ? booleans : ints;
        for (int i = 0; of != null && i < count; i++) {
            switch (inout) {
                case byte[] b ->
                        b[into + i] = (byte) of.applyAsInt(((byte[]) left)[at + i], b[into + i]);
                case char[] b ->
                        b[into + i] = (char) of.applyAsInt(((char[]) left)[at + i], b[into + i]);
                case short[] b ->
                        b[into + i] = (short) of.applyAsInt(((short[]) left)[at + i], b[into + i]);
                case boolean[] b ->
                        b[into + i] =
                                of.applyAsInt(
                                                ((boolean[]) left)[at + i] ? 1 : 0,
                                                b[into + i] ? 1 : 0)
                                        != 0;
                default -> throw new IllegalStateException("of no such array");
            }
        }
    }

    private void ints(int[] a, int at, int[] b, int into, int count) {
        IntBinaryOperator of = ints;
        for (int i = 0; of != null && i < count; i++) {
            b[into + i] = of.applyAsInt(a[at + i], b[into + i]);
        }
    }

    private void longs(long[] a, int at, long[] b, int into, int count) {
        LongBinaryOperator of = longs;
        for (int i = 0; of != null && i < count; i++) {
            b[into + i] = of.applyAsLong(a[at + i], b[into + i]);
        }
    }

    private void doubles(double[] a, int at, double[] b, int into, int count) {
        DoubleBinaryOperator of = doubles;
        for (int i = 0; of != null && i < count; i++) {
            b[into + i] = of.applyAsDouble(a[at + i], b[into + i]);
        }
    }

    /// By way of double, which rounds sums and products of two floats as float would.
    private void floats(float[] a, int at, float[] b, int into, int count) {
        DoubleBinaryOperator of = doubles;
        for (int i = 0; of != null && i < count; i++) {
            b[into + i] = (float) of.applyAsDouble(a[at + i], b[into + i]);
        }
    }
}
