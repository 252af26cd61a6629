package org.ibidem.filter.compress;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.ibidem.task.Tasks;
import org.jspecify.annotations.Nullable;

/// Bytes that leave together. Filled by the writer; then made ready by the writer or a task; then
/// the writer's again, who hands it on. A short one stays in memory of its own, others borrow.
final class Block {
    private static final int SMALL = 4 << 10;

    /// A codec must save one byte of so many.
    private static final int PAYS = 32;

    private final Workshop workshop;
    private final ByteBuffer small = ByteBuffer.allocateDirect(Header.PLAIN + SMALL);

    /// The header's place, then the bytes as they are, up to its position.
    private ByteBuffer raw = small.position(Header.PLAIN);

    private @Nullable ByteBuffer coded;
    private ByteBuffer view = small;
    private int level;
    private int size;
    private int wire;
    private long coding;
    private long heldSince;
    private boolean held;

    /// Whether it can be handed on.
    private volatile boolean ready;

    Block(Workshop workshop) {
        this.workshop = workshop;
    }

    int size() {
        return raw.position() - Header.PLAIN;
    }

    boolean full() {
        return size() == Header.BLOCK;
    }

    /// Takes what fits.
    void take(ByteBuffer from) {
        if (raw.remaining() < from.remaining() && raw.capacity() == small.capacity()) {
            var large = workshop.borrow().limit(Header.PLAIN + Header.BLOCK);
            raw = large.position(Header.PLAIN).put(raw.flip().position(Header.PLAIN));
        }
        int bytes = Math.min(from.remaining(), raw.remaining());
        raw.put(raw.position(), from, from.position(), bytes).position(raw.position() + bytes);
        from.position(from.position() + bytes);
    }

    /// What it holds, not to be moved.
    ByteBuffer bytes() {
        return raw.duplicate().flip().position(Header.PLAIN);
    }

    /// It leaves as it is.
    void plain() {
        size = size();
        view = raw.flip().order(ByteOrder.LITTLE_ENDIAN);
        view.putInt(0, size);
        wire = view.remaining();
        ready = true;
    }

    /// It leaves smaller, if it becomes so.
    ///
    /// @param number what this choice is for [Levels]
    void make(Choice choice, int number, Tasks clock) {
        level = number;
        long from = clock.nanoTime();
        boolean made = false;
        try {
            made = encoded(choice);
        } finally {
            coding = clock.nanoTime() - from;
            if (!made) {
                plain();
            }
        }
    }

    private boolean encoded(Choice choice) {
        int bytes = size();
        var to = workshop.borrow().position(Header.CODED);
        coded = to.limit(Header.CODED + bytes - bytes / PAYS);
        int number = choice.level().number();
        var encoder = workshop.encoder(choice.codec(), number);
        if (!encoder.encode(bytes(), to)) {
            workshop.giveBack(choice.codec(), number, encoder);
            return false;
        }
        workshop.giveBack(choice.codec(), number, encoder);
        size = bytes;
        view = to.flip().order(ByteOrder.LITTLE_ENDIAN);
        wire = view.remaining();
        view.putInt(0, wire - Header.CODED | choice.codec().number() << Header.CODEC_SHIFT);
        view.putInt(Header.PLAIN, bytes);
        ready = true;
        return true;
    }

    boolean isReady() {
        return ready;
    }

    /// What is to be handed on still.
    ByteBuffer view() {
        return view;
    }

    /// The line took no more just now.
    void held(Tasks clock) {
        if (!held) {
            held = true;
            heldSince = clock.nanoTime();
        }
    }

    /// It has been handed on, and is empty.
    Sample done(Tasks clock) {
        long waited = held ? Math.max(1, clock.nanoTime() - heldSince) : 0;
        var sample = new Sample(level, size, wire, coding, waited);
        if (raw.capacity() > small.capacity()) {
            workshop.giveBack(raw);
        }
        workshop.giveBack(coded);
        coded = null;
        raw = small.clear().position(Header.PLAIN);
        level = 0;
        held = false;
        ready = false;
        return sample;
    }
}
