package org.ibidem.lab.bench.serial;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Bytes with a position, as somebody in a hurry would write it.
final class HandBytes {
    private static final VarHandle INT =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    final byte[] page;
    int at;

    HandBytes(int room) {
        page = new byte[room];
    }

    void set(int where, int a, int b, int c, int d) {
        INT.set(page, where, a);
        INT.set(page, where + 4, b);
        INT.set(page, where + 8, c);
        INT.set(page, where + 12, d);
    }

    int intAt(int where) {
        return (int) INT.get(page, where);
    }

    void putInt(int value) {
        INT.set(page, at, value);
        at += Integer.BYTES;
    }

    int getInt() {
        int value = (int) INT.get(page, at);
        at += Integer.BYTES;
        return value;
    }

    void putLong(long value) {
        LONG.set(page, at, value);
        at += Long.BYTES;
    }

    long getLong() {
        long value = (long) LONG.get(page, at);
        at += Long.BYTES;
        return value;
    }

    /// Latin-1 only.
    @SuppressWarnings("deprecation") // it copies once
    void putText(String text) {
        int length = text.length();
        INT.set(page, at, length);
        text.getBytes(0, length, page, at + Integer.BYTES);
        at += Integer.BYTES + length;
    }

    /// Latin-1 only.
    @SuppressWarnings("deprecation") // it copies once
    String getText() {
        int length = getInt();
        var text = new String(page, 0, at, length);
        at += length;
        return text;
    }
}
