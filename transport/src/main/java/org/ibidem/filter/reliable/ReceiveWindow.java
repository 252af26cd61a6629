package org.ibidem.filter.reliable;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.ibidem.buffer.Frame;

/// The frames that have come and were not read, also those ahead of their turn. Guarded by the
/// link.
///
/// ```
///     free         expected               free + window
///       | to be lent  | gaps and what came early |
/// ```
final class ReceiveWindow {
    private static final int NONE = -1;

    /// So far a frame may be behind another that was sent later (RFC 5681's threshold).
    private static final int OVERTAKEN = 3;

    private final int mask;
    private final int place;
    private final MemorySegment memory;
    private final int[] lengths;
    private final byte[] flags;

    /// The last that has come.
    private int highest = -1;

    /// The frame that is read next, or just lent.
    private int free;

    private int expected;
    private boolean lent;

    /// @param window frames, a power of two
    /// @param largest bytes of a frame's payload
    ReceiveWindow(int window, int largest) {
        this.mask = window - 1;
        this.place = largest;
        this.memory = Arena.ofAuto().allocate((long) window * place, Long.BYTES);
        this.lengths = new int[window];
        this.flags = new byte[window];
        Arrays.fill(lengths, NONE);
    }

    /// All before this have come.
    int expected() {
        return expected;
    }

    /// What may come is before this.
    int limit() {
        return free + mask + 1;
    }

    /// Whether this one is new, and there is a place for it.
    boolean wants(int number, int length) {
        return number - expected >= 0
                && number - limit() < 0
                && length <= place
                && lengths[number & mask] == NONE;
    }

    /// Takes one that is wanted.
    void take(int number, int frameFlags, MemorySegment from, long at, int length) {
        MemorySegment.copy(from, at, memory, (long) (number & mask) * place, length);
        lengths[number & mask] = length;
        flags[number & mask] = (byte) (frameFlags & Frame.WIRE_FLAGS);
        if (number - highest > 0) {
            highest = number;
        }
        while (expected - limit() < 0 && lengths[expected & mask] != NONE) {
            expected++;
        }
    }

    /// Whether frames well behind the next one have come: it was hardly overtaken, but lost.
    boolean hasGap() {
        return highest - expected >= OVERTAKEN;
    }

    boolean hasNext() {
        return (lent ? free + 1 : free) != expected;
    }

    /// Lends the next one.
    void lend(Frame frame) {
        int at = free & mask;
        long base = (long) at * place;
        frame.show(memory, base, base + lengths[at]);
        frame.flags = flags[at];
        lent = true;
    }

    /// What was lent comes back, if anything was.
    void giveBack() {
        if (lent) {
            lent = false;
            lengths[free & mask] = NONE;
            free++;
        }
    }
}
