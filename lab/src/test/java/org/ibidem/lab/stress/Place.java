package org.ibidem.lab.stress;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.ibidem.buffer.Frame;
import org.ibidem.buffer.ReadyBit;
import org.ibidem.buffer.Ring;
import org.ibidem.buffer.RingPlace;
import org.ibidem.buffer.RingPlan;
import org.ibidem.buffer.RingReader;
import org.ibidem.buffer.RingWriter;

/// A fresh ring with both its ends, in one of many places that are used in turn: there are more
/// than samples that live at a time.
final class Place {
    static final int SIZE = Ring.SMALLEST;
    private static final int PLACES = 1 << 13;
    private static final int READY = 1024;
    private static final int LARGER = 2 * SIZE;
    private static final long BYTES = Ring.bytes(SIZE) + LARGER;
    private static final MemorySegment MEMORY = Arena.global().allocate(PLACES * BYTES, 4096);
    private static final AtomicInteger NEXT = new AtomicInteger();

    final RingWriter writer;
    final RingReader reader;

    /// Set by the writer when the reader rests; it lies in the ring's page, where nothing else is.
    final ReadyBit bit;

    final Frame room = new Frame();
    final Frame lent = new Frame();

    Place() {
        this(plan(base(), 1));
    }

    private Place(RingPlan plan) {
        writer = Ring.writer(MEMORY, plan);
        reader = Ring.reader(MEMORY, plan);
        bit = new ReadyBit(MEMORY, plan.control() + READY, 5);
        writer.announce(bit);
    }

    private static long base() {
        long base = Integer.remainderUnsigned(NEXT.getAndIncrement(), PLACES) * BYTES;
        MEMORY.asSlice(base, BYTES).fill((byte) 0);
        return base;
    }

    private static RingPlan plan(long base, int places) {
        long data = base + Ring.bytes(0);
        var all = List.of(new RingPlace(data, SIZE), new RingPlace(data + SIZE, LARGER));
        return new RingPlan(base, all.subList(0, places));
    }

    /// One that can move once.
    static Place growing() {
        return new Place(plan(base(), 2));
    }

    /// One without room, full of frames that begin with `value`.
    static Place full(long value) {
        var place = new Place();
        while (place.writer.claim(place.room, place.writer.largest())) {
            place.write(value);
        }
        return place;
    }

    void write(long value) {
        room.memory.set(ValueLayout.JAVA_LONG, room.position, value);
        room.position = room.limit;
        writer.commit(room, 0);
    }

    long read() {
        return lent.memory.get(ValueLayout.JAVA_LONG, lent.position);
    }
}
