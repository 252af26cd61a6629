package org.ibidem.lab.bench.peers;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/// A ring of slots of one size in shared memory, one writer and one reader, which spin: nothing
/// less can do the work.
///
/// ```
/// base         reader's counter: slots given back (8 B)
/// base + 4096  slots; each begins with a stamp (8 B): the number of the message it holds, counted from 1
/// ```
final class Slots {
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
    private static final long PAGE = 4096;

    private final MemorySegment memory;
    private final long base;
    private final long slot;
    private final long data;
    private final long count;
    private final long giveBackMask;
    private long next;
    private long credit;

    /// @param base where it begins in `memory`
    /// @param size of a slot's content in bytes
    /// @param data where the content begins in a slot: right behind the stamp, or on the next cache
    ///   line
    /// @param count slots, a power of two
    Slots(MemorySegment memory, long base, long size, long data, int count) {
        this.memory = memory;
        this.base = base;
        this.data = data;
        this.slot = slot(size, data);
        this.count = count;
        this.giveBackMask = Math.max(1L, count / 4) - 1;
        this.credit = count;
    }

    private static long slot(long size, long data) {
        return (data + size + 63) & -64;
    }

    /// Bytes that such a ring takes.
    static long bytes(long size, long data, int count) {
        return (PAGE + slot(size, data) * count + PAGE - 1) & -PAGE;
    }

    /// Writer: where the next message's content goes; spins until there is a free slot.
    long claim() {
        long number = next;
        if (number >= credit) {
            long back;
            while (number >= (back = (long) LONG.getAcquire(memory, base) + count)) {
                Thread.onSpinWait();
            }
            credit = back;
        }
        return place(number) + data;
    }

    /// Writer: publishes what was claimed.
    void publish() {
        long number = next;
        next = number + 1;
        LONG.setRelease(memory, place(number), number + 1);
    }

    /// Reader: where the next message's content is; spins until it is there.
    long await() {
        long number = next;
        long place = place(number);
        while ((long) LONG.getAcquire(memory, place) != number + 1) {
            Thread.onSpinWait();
        }
        return place + data;
    }

    /// Reader: is done with what was awaited. The writer learns it every quarter of the ring.
    void giveBack() {
        long number = next + 1;
        next = number;
        if ((number & giveBackMask) == 0) {
            LONG.setRelease(memory, base, number);
        }
    }

    private long place(long number) {
        return base + PAGE + (number & (count - 1)) * slot;
    }
}
