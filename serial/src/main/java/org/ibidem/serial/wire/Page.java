package org.ibidem.serial.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Numbers in a page, which is a byte array in the first-level cache through which everything but
/// large arrays passes. Unaligned, in the order of this machine; `Swapped` in the other.
public final class Page {
    /// Bytes of a page.
    public static final int SIZE = 16 << 10;

    private static final ByteOrder ORDER = ByteOrder.nativeOrder();
    private static final VarHandle SHORT =
            MethodHandles.byteArrayViewVarHandle(short[].class, ORDER);
    private static final VarHandle CHAR = MethodHandles.byteArrayViewVarHandle(char[].class, ORDER);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ORDER);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ORDER);

    private Page() {}

    /// Stores 2 bytes.
    public static void putShort(byte[] page, int at, short value) {
        SHORT.set(page, at, value);
    }

    /// Stores 2 bytes.
    public static void putChar(byte[] page, int at, char value) {
        CHAR.set(page, at, value);
    }

    /// Stores 4 bytes.
    public static void putInt(byte[] page, int at, int value) {
        INT.set(page, at, value);
    }

    /// Stores 8 bytes.
    public static void putLong(byte[] page, int at, long value) {
        LONG.set(page, at, value);
    }

    /// Loads a truth value: any byte but 0 is true.
    public static boolean getTruth(byte[] page, int at) {
        return page[at] != 0;
    }

    /// Loads 2 bytes.
    public static short getShort(byte[] page, int at) {
        return (short) SHORT.get(page, at);
    }

    /// Loads 2 bytes.
    public static char getChar(byte[] page, int at) {
        return (char) CHAR.get(page, at);
    }

    /// Loads 4 bytes.
    public static int getInt(byte[] page, int at) {
        return (int) INT.get(page, at);
    }

    /// Loads 8 bytes.
    public static long getLong(byte[] page, int at) {
        return (long) LONG.get(page, at);
    }

    /// Loads 2 bytes that were written in the other order.
    public static short getShortSwapped(byte[] page, int at) {
        return Short.reverseBytes(getShort(page, at));
    }

    /// Loads 2 bytes that were written in the other order.
    public static char getCharSwapped(byte[] page, int at) {
        return Character.reverseBytes(getChar(page, at));
    }

    /// Loads 4 bytes that were written in the other order.
    public static int getIntSwapped(byte[] page, int at) {
        return Integer.reverseBytes(getInt(page, at));
    }

    /// Loads 8 bytes that were written in the other order.
    public static long getLongSwapped(byte[] page, int at) {
        return Long.reverseBytes(getLong(page, at));
    }

    /// Turns values round that were written in the other order: first those of 8 bytes, behind them
    /// those of 4, then those of 2.
    static void turn(byte[] page, int from, int longs, int ints, int shorts) {
        int at = from;
        for (int left = longs; left > 0; left--, at += Long.BYTES) {
            putLong(page, at, getLongSwapped(page, at));
        }
        for (int left = ints; left > 0; left--, at += Integer.BYTES) {
            putInt(page, at, getIntSwapped(page, at));
        }
        for (int left = shorts; left > 0; left--, at += Short.BYTES) {
            putShort(page, at, getShortSwapped(page, at));
        }
    }
}
