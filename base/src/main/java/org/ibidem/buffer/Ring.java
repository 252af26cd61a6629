package org.ibidem.buffer;

import java.lang.foreign.MemorySegment;

/// Sizes of a ring, and its two ends. What lies where: `docs/wire/ring.md`.
public final class Ring {
    /// The smallest ring, in bytes of data.
    public static final int SMALLEST = 1 << 12;

    /// The largest ring, in bytes of data.
    public static final long LARGEST = 1L << 32;

    /// Bytes of position and flags that each reader of a broadcast ring has.
    public static final int CONTROL = RingLayout.CONTROL;

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
        return new RingWriter(memory, plan, null);
    }

    /// The writing end of a broadcast ring: each of its readers has a position and flags of its
    /// own.
    ///
    /// @param plan whose control is the first reader's; those of the others follow it, [#CONTROL]
    ///   bytes each
    public static RingWriter writer(MemorySegment memory, RingPlan plan, RingReaders readers) {
        RingLayout.check(memory, plan);
        return new RingWriter(memory, plan, readers);
    }

    /// Those who read a broadcast ring, as its writer sees them.
    ///
    /// @param plan as for the writer
    /// @param count how many they are
    public static RingReaders readers(
            MemorySegment memory, RingPlan plan, int count, RingReaders.Wrong wrong) {
        RingLayout.check(memory, plan);
        return new RingReaders(memory, plan.control(), count, wrong);
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
