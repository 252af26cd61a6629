package org.ibidem.mpj.collective;

import org.ibidem.mpj.ErrorClass;
import org.ibidem.mpj.Fault;
import org.ibidem.mpj.data.Kind;
import org.ibidem.mpj.data.Part;

/// MAXLOC and MINLOC: of pairs of a value and where it is, the extreme value, and the lowest place
/// of those that have it.
///
/// @param greatest whether the greatest value is sought, else the least
public record Location(boolean greatest) implements Reduction.Combine {
    @Override
    public void combine(Part left, Part inout) {
        check(left.shape().kind(), left.shape().size());
        int[] at = left.indices();
        int[] into = inout.indices();
        for (int i = 0; i + 1 < at.length; i += 2) {
            pair(left.array(), at[i], at[i + 1], inout.array(), into[i], into[i + 1]);
        }
    }

    /// Refuses datatypes that are no pairs.
    public void check(Kind kind, int size) {
        boolean numbers =
                switch (kind) {
                    case BYTE, CHAR, SHORT, INT, LONG, FLOAT, DOUBLE -> true;
                    default -> false;
                };
        Fault.unless(
                numbers && size % 2 == 0,
                ErrorClass.OP,
                (greatest ? "MAXLOC" : "MINLOC") + " is an operation on pairs such as INT2");
    }

    private void pair(Object a, int value, int place, Object b, int toValue, int toPlace) {
        int order = greatest ? compare(a, value, b, toValue) : compare(b, toValue, a, value);
        if (order > 0 || (order == 0 && compare(a, place, b, toPlace) < 0)) {
            System.arraycopy(a, value, b, toValue, 1);
            System.arraycopy(a, place, b, toPlace, 1);
        }
    }

    private static int compare(Object a, int i, Object b, int j) {
        return switch (a) {
            case int[] x -> Integer.compare(x[i], ((int[]) b)[j]);
            case long[] x -> Long.compare(x[i], ((long[]) b)[j]);
            case double[] x -> Double.compare(x[i], ((double[]) b)[j]);
            case float[] x -> Float.compare(x[i], ((float[]) b)[j]);
            case short[] x -> Short.compare(x[i], ((short[]) b)[j]);
            case char[] x -> Character.compare(x[i], ((char[]) b)[j]);
            case byte[] x -> Byte.compare(x[i], ((byte[]) b)[j]);
            default -> throw new IllegalStateException("of no such array");
        };
    }
}
