package org.ibidem.filter.parallel;

/// What a strand carries: frames, little-endian.
///
/// ```
///  0            3         4          12
///  | bytes u24 | kind u8 | word u64 | bytes ...
/// ```
final class Wire {
    static final int HEADER = 12;
    static final int LENGTH_MASK = 0xFF_FFFF;
    static final int KIND_SHIFT = 24;

    /// Bytes of the stream; the word says the place of the first.
    static final int DATA = 1;

    /// The word: all before this place has come. Then up to which place more may come, and how many
    /// bytes came by this strand.
    static final int ACK = 2;

    /// The first on a strand that was added: its seat, and its number among those that had the
    /// seat.
    static final int JOIN = 3;

    /// The strand with this seat and number is used no more.
    static final int LOST = 4;

    /// Make so many strands, please.
    static final int WANT = 5;

    /// There is nothing behind this place.
    static final int CLOSE = 6;

    static final int ACK_BYTES = 2 * Long.BYTES;

    /// Bytes of the longest piece.
    static final int PIECE = 64 << 10;

    /// Bytes that are on their way or not in order, or wait for their reader, at most.
    static final int WINDOW = 16 << 20;

    /// Pieces between what is in order and what is not, at most.
    static final int PIECES = 1 << 14;

    private static final int SEAT_BITS = 8;

    private Wire() {}

    /// Seat and number in a word.
    static long name(int seat, int number) {
        return (long) number << SEAT_BITS | seat;
    }

    static int seat(long name) {
        return (int) (name & (1 << SEAT_BITS) - 1);
    }

    static int number(long name) {
        return (int) (name >>> SEAT_BITS);
    }
}
