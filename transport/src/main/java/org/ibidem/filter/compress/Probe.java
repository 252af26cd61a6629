package org.ibidem.filter.compress;

import java.nio.ByteBuffer;
import java.util.Arrays;

/// Says from a few bytes of a block whether a codec could make it smaller: whether some bytes are
/// rarer than others, or strings of four come again. A few microseconds, where a codec takes some
/// milliseconds to find out.
final class Probe {
    /// Pieces that are looked at, and bytes of each.
    private static final int PIECES = 16;

    private static final int PIECE = 256;
    private static final int TABLE_BITS = 12;

    /// Random bytes differ from equal shares by 255 or so, whatever their number (the statistic of
    /// Pearson's test, whose spread is 23). What 2 % fewer bits would do for a byte comes on top.
    private static final double SKEW = 255 + 120;

    private static final double SKEW_OF_BYTE = 0.2;

    /// One in so many strings comes again.
    private static final int AGAIN = 24;

    private final int[] counts = new int[256];

    /// The last string with each hash.
    private final int[] strings = new int[1 << TABLE_BITS];

    /// @param block not moved
    boolean compressible(ByteBuffer block) {
        Arrays.fill(counts, 0);
        Arrays.fill(strings, 0);
        int bytes = 0;
        int again = 0;
        int size = block.remaining();
        boolean all = size <= PIECES * PIECE;
        int pieces = all ? 1 : PIECES;
        for (int piece = 0; piece < pieces; piece++) {
            int from = block.position() + (int) ((long) (size - PIECE) * piece / PIECES);
            from = all ? block.position() : from;
            int to = all ? block.limit() : from + PIECE;
            again += look(block, from, to);
            bytes += to - from;
        }
        return again > bytes / AGAIN || skew(bytes) > SKEW + SKEW_OF_BYTE * bytes;
    }

    private int look(ByteBuffer block, int from, int to) {
        int again = 0;
        int string = 0;
        for (int at = from; at < to; at++) {
            int value = block.get(at) & 0xFF;
            counts[value]++;
            string = string << 8 | value;
            if (at - from >= 3) {
                int hash = (string * 0x9E3779B1) >>> (32 - TABLE_BITS);
                if (strings[hash] == string) {
                    again++;
                }
                strings[hash] = string;
            }
        }
        return again;
    }

    private double skew(int bytes) {
        double expected = bytes / 256.0;
        double sum = 0;
        for (int count : counts) {
            sum += (count - expected) * (count - expected) / expected;
        }
        return sum;
    }
}
