package org.ibidem.buffer;

import java.lang.foreign.MemorySegment;

/// Sizes of a ring, and its two ends. What lies where: `docs/wire/ring.md`.
public final class Ring {
    /// The smallest ring, in bytes of data.
    public static final int SMALLEST = 1 << 12;

    /// The largest ring, in bytes of data.
    public static final long LARGEST = 1L << 32;

    private Ring() {}

    /// Memory a ring needs, in bytes: its data and the page of positions and flags in front.
    public static long bytes(long size) {
        return RingLayout.DATA + size;
    }

    /// The writing end of the ring that begins at `base` (a multiple of 4096) of zeroed memory.
    ///
    /// @param size bytes of data, a power of two
    public static RingWriter writer(MemorySegment memory, long base, long size) {
        return writer(memory, RingPlan.fixed(base, size));
    }

    /// The writing end of a ring that may move to larger places of zeroed memory.
    public static RingWriter writer(MemorySegment memory, RingPlan plan) {
        RingLayout.check(memory, plan);
        return new RingWriter(memory, plan);
    }

    /// The reading end of the ring that begins at `base`.
    ///
    /// @param size bytes of data, a power of two; equal at both ends
    public static RingReader reader(MemorySegment memory, long base, long size) {
        return reader(memory, RingPlan.fixed(base, size));
    }

    /// The reading end of a ring that may move to larger places.
    public static RingReader reader(MemorySegment memory, RingPlan plan) {
        RingLayout.check(memory, plan);
        return new RingReader(memory, plan);
    }
}
