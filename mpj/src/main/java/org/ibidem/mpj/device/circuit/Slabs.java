package org.ibidem.mpj.device.circuit;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/// Memory for messages that nobody has asked for yet, in sizes of powers of two, kept for the next.
/// How much there is at a time is bounded by what peers may send before it is taken.
final class Slabs {
    private static final int SMALLEST_BITS = 6;

    private final Arena arena = Arena.ofShared();
    private final List<ArrayDeque<MemorySegment>> free = new ArrayList<>();

    Slabs() {
        for (int bits = SMALLEST_BITS; bits < Integer.SIZE; bits++) {
            free.add(new ArrayDeque<>());
        }
    }

    MemorySegment get(int size) {
        int index = index(size);
        var kept = free.get(index).poll();
        return kept != null ? kept : arena.allocate(1L << (SMALLEST_BITS + index), Long.BYTES);
    }

    void giveBack(MemorySegment slab) {
        free.get(index((int) slab.byteSize())).push(slab);
    }

    private static int index(int size) {
        return Math.max(0, Integer.SIZE - Integer.numberOfLeadingZeros(size - 1) - SMALLEST_BITS);
    }

    void close() {
        arena.close();
    }
}
