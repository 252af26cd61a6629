package org.ibidem.buffer;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/// A bit in a word of shared memory that says for one of up to 64 rings whether there is something
/// to read, so that their reader need not look at each.
///
/// Any number of processes set bits; one reader takes them.
///
/// @param memory where the word lies
/// @param word its offset there, a multiple of 8
/// @param bit 0 to 63
public record ReadyBit(MemorySegment memory, long word, int bit) {
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

    /// Bits of a word.
    public static final int PER_WORD = Long.SIZE;

    /// Says that there is something. What was written before is seen by whoever takes the bit.
    public void set() {
        try {
            LONG.getAndBitwiseOr(memory, word, mask());
        } catch (InternalError e) {
            // the page was cut short, and whoever takes bits looks at all
        }
    }

    /// The bit in its place.
    public long mask() {
        return 1L << bit;
    }

    /// Whether the other bit lies in the same word.
    @SuppressWarnings({
        "ReferenceEquality",
        "MemorySegmentReferenceEquality"
    }) // one mapping for all bits of a reader
    public boolean sharesWord(ReadyBit other) {
        return memory == other.memory && word == other.word;
    }

    /// Takes those of the wanted bits of this word that are set: they are 0 afterwards. Where none
    /// is, this is one load. Where the page was cut short, all.
    public long take(long wanted) {
        try {
            long set = (long) LONG.getOpaque(memory, word) & wanted;
            return set == 0 ? 0 : (long) LONG.getAndBitwiseAnd(memory, word, ~set) & set;
        } catch (InternalError e) {
            return wanted;
        }
    }
}
