package org.ibidem.lab.net.emulator;

import java.lang.foreign.MemorySegment;

/// The packets under way: a fixed number of slots, so that what is under way is bounded.
final class Packets {
    /// Bytes of a slot; a packet is shorter.
    static final int SLOT = 2048;

    static final int NONE = -1;

    final MemorySegment memory;

    /// Of each packet in a slot: its bytes, whom it comes from and goes to, how far it has got, the
    /// one behind it in a queue, and where it is written down.
    final int[] length;

    final short[] from;
    final short[] to;
    final byte[] stage;
    final int[] behind;
    final long[] entry;

    private final int[] free;
    private int freeCount;

    Packets(MemorySegment memory) {
        this.memory = memory;
        int count = (int) (memory.byteSize() / SLOT);
        length = new int[count];
        from = new short[count];
        to = new short[count];
        stage = new byte[count];
        behind = new int[count];
        entry = new long[count];
        free = new int[count];
        for (int i = 0; i < count; i++) {
            free[i] = count - 1 - i;
        }
        freeCount = count;
    }

    /// A free slot, or [#NONE]. The one freed last is given first: its memory is in the cache.
    int take() {
        return freeCount == 0 ? NONE : free[--freeCount];
    }

    void give(int packet) {
        free[freeCount++] = packet;
    }

    /// How many are under way.
    int underWay() {
        return free.length - freeCount;
    }

    /// Where a slot begins.
    static long at(int packet) {
        return (long) packet * SLOT;
    }
}
