package org.ibidem.buffer;

import static org.ibidem.buffer.RingLayout.ALIGNMENT;
import static org.ibidem.buffer.RingLayout.DATA;
import static org.ibidem.buffer.RingLayout.HEADER;
import static org.ibidem.buffer.RingLayout.INT;
import static org.ibidem.buffer.RingLayout.LONG;
import static org.ibidem.buffer.RingLayout.PAD;
import static org.ibidem.buffer.RingLayout.READER_POSITION;
import static org.ibidem.buffer.RingLayout.READER_SLEEPS;
import static org.ibidem.buffer.RingLayout.WRITER_WAITS;
import static org.ibidem.buffer.RingLayout.tag;
import static org.ibidem.buffer.RingLayout.tagged;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/// The writing end of a ring: one thread at a time. Records are filled in place and published by
/// their header word.
public final class RingWriter {
    private final MemorySegment memory;
    private final long base;
    private final long data;
    private final long size;
    private final long mask;
    private final int largest;

    private long tail;

    /// The position up to which may be written: the reader's last known one plus the size.
    private long credit;

    private int wanted;

    RingWriter(MemorySegment memory, long base, long size) {
        this.memory = memory;
        this.base = base;
        this.data = base + DATA;
        this.size = size;
        this.mask = size - 1;
        this.largest = RingLayout.largestRecord(size);
        this.credit = size;
    }

    /// The largest payload of one record, in bytes.
    public int largest() {
        return largest - HEADER;
    }

    /// Sets `room` to free memory of at least `atLeast` bytes; false: not that much is free.
    public boolean claim(Frame room, int atLeast) {
        long offset = tail & mask;
        long free = Math.min(credit - tail, size - offset);
        if (free < atLeast + HEADER) {
            return claimSlowly(room, atLeast + HEADER);
        }
        grant(room, offset, free);
        return true;
    }

    private boolean claimSlowly(Frame room, int record) {
        if (record > largest) {
            throw new IllegalArgumentException(
                    "a claim of " + (record - HEADER) + " bytes; this ring grants " + largest());
        }
        wanted = record;
        refreshCredit();
        long offset = tail & mask;
        long toEnd = size - offset;
        if (toEnd < record) {
            if (credit - tail < toEnd + record) {
                return false;
            }
            pad(offset, toEnd);
            offset = 0;
        }
        long free = Math.min(credit - tail, size - offset);
        if (free < record) {
            return false;
        }
        grant(room, offset, free);
        return true;
    }

    private void grant(Frame room, long offset, long free) {
        long at = data + offset;
        room.show(memory, at + HEADER, at + Math.min(free, largest));
    }

    /// Acquire: what the reader did with the memory it gave back happened before we write there
    /// again.
    private void refreshCredit() {
        long read = (long) LONG.getAcquire(memory, base + READER_POSITION);
        if (read < credit - size || read > tail || read % ALIGNMENT != 0) {
            throw new IllegalStateException(
                    "the reader says it is at "
                            + read
                            + ", but was at "
                            + (credit - size)
                            + ", and what was written ends at "
                            + tail);
        }
        credit = read + size;
    }

    private void pad(long offset, long toEnd) {
        long next = tail + toEnd;
        clear(next);
        LONG.setRelease(memory, data + offset, tag(tail) | ((long) PAD << 24));
        tail = next;
    }

    /// Makes sure that what lies where the next header will be does not look like one: old payload
    /// could, by chance or malice. Only the writer writes data, and the reader looks there only
    /// after it has acquired the record before, so this plain store, made before that record's
    /// release, cannot be missed. Its complement has another tag for sure; zero has not, at the one
    /// position in 2^38 whose tag is 0.
    private void clear(long next) {
        long offset = data + (next & mask);
        long word = (long) LONG.get(memory, offset);
        if (tagged(word, next)) {
            LONG.set(memory, offset, ~word);
        }
    }

    /// Publishes `room.start..room.position` as one record and leaves the next room in `room`, or
    /// an empty one.
    public void commit(Frame room, int flags) {
        long offset = tail & mask;
        long length = room.position - (data + offset + HEADER);
        long next = (tail + length + HEADER + ALIGNMENT - 1) & -ALIGNMENT;
        if (length < 0 || length > largest - HEADER || next > credit) {
            throw new IllegalStateException(
                    "commit of " + length + " bytes without a claim for them");
        }
        clear(next);
        LONG.setRelease(
                memory,
                data + offset,
                tag(tail) | ((long) (flags & Frame.WIRE_FLAGS) << 24) | length);
        tail = next;
        long nextOffset = next & mask;
        grant(room, nextOffset, Math.max(HEADER, Math.min(credit - next, size - nextOffset)));
    }

    /// To be asked after the last commit of a burst: must the reader be woken? Answers true once
    /// per sleep.
    public boolean mustWakeReader() {
        VarHandle.fullFence(); // the publication before the load of the flag
        return (int) INT.getOpaque(memory, base + READER_SLEEPS) != 0
                && (int) INT.getAndSet(memory, base + READER_SLEEPS, 0) != 0;
    }

    /// Says that the writer is about to sleep until there is room for what [#claim] last refused.
    ///
    /// @return false: there is room already
    public boolean sleep() {
        INT.setOpaque(memory, base + WRITER_WAITS, 1);
        VarHandle.fullFence(); // our flag before the load of the reader's position
        refreshCredit();
        long toEnd = size - (tail & mask);
        long needed = toEnd < wanted ? toEnd + wanted : wanted;
        if (credit - tail >= needed) {
            awake();
            return false;
        }
        return true;
    }

    /// Says that the writer is awake.
    public void awake() {
        INT.setOpaque(memory, base + WRITER_WAITS, 0);
    }
}
