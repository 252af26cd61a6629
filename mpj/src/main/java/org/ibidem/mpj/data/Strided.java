package org.ibidem.mpj.data;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Elements that lie apart by one distance, each for itself: a loop per kind, as a copy of one
/// element has no time for finding out what it is.
final class Strided {
    private Strided() {}

    static void store(
            Kind kind, Object from, int index, int stride, MemorySegment to, long at, int count) {
        switch (from) {
            case int[] a -> {
                for (int i = 0; i < count; i++) {
                    to.set(Kind.INTS, at + 4L * i, a[index + i * stride]);
                }
            }
            case double[] a -> {
                for (int i = 0; i < count; i++) {
                    to.set(Kind.DOUBLES, at + 8L * i, a[index + i * stride]);
                }
            }
            case long[] a -> {
                for (int i = 0; i < count; i++) {
                    to.set(Kind.LONGS, at + 8L * i, a[index + i * stride]);
                }
            }
            case float[] a -> {
                for (int i = 0; i < count; i++) {
                    to.set(Kind.FLOATS, at + 4L * i, a[index + i * stride]);
                }
            }
            case byte[] a -> {
                for (int i = 0; i < count; i++) {
                    to.set(ValueLayout.JAVA_BYTE, at + i, a[index + i * stride]);
                }
            }
            default -> {
                for (int i = 0; i < count; i++) {
                    kind.store(from, index + i * stride, to, at + (long) i * kind.size(), 1);
                }
            }
        }
    }

    static void load(
            Kind kind, Object into, int index, int stride, MemorySegment from, long at, int count) {
        switch (into) {
            case int[] a -> {
                for (int i = 0; i < count; i++) {
                    a[index + i * stride] = from.get(Kind.INTS, at + 4L * i);
                }
            }
            case double[] a -> {
                for (int i = 0; i < count; i++) {
                    a[index + i * stride] = from.get(Kind.DOUBLES, at + 8L * i);
                }
            }
            case long[] a -> {
                for (int i = 0; i < count; i++) {
                    a[index + i * stride] = from.get(Kind.LONGS, at + 8L * i);
                }
            }
            case float[] a -> {
                for (int i = 0; i < count; i++) {
                    a[index + i * stride] = from.get(Kind.FLOATS, at + 4L * i);
                }
            }
            case byte[] a -> {
                for (int i = 0; i < count; i++) {
                    a[index + i * stride] = from.get(ValueLayout.JAVA_BYTE, at + i);
                }
            }
            default -> {
                for (int i = 0; i < count; i++) {
                    kind.load(into, index + i * stride, from, at + (long) i * kind.size(), 1);
                }
            }
        }
    }
}
