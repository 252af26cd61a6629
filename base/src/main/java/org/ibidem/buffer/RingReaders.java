package org.ibidem.buffer;

import static org.ibidem.buffer.RingLayout.ALIGNMENT;
import static org.ibidem.buffer.RingLayout.CONTROL;
import static org.ibidem.buffer.RingLayout.FENCED;
import static org.ibidem.buffer.RingLayout.INT;
import static org.ibidem.buffer.RingLayout.LONG;
import static org.ibidem.buffer.RingLayout.READER_CAME;
import static org.ibidem.buffer.RingLayout.READER_POSITION;
import static org.ibidem.buffer.RingLayout.READER_SLEEPS;
import static org.ibidem.buffer.RingLayout.RESTS;
import static org.ibidem.buffer.RingLayout.SLEEPS;
import static org.ibidem.buffer.RingLayout.WRITER_WAITS;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// The readers of a broadcast ring, as its writer sees them: a position and flags for each, as a
/// ring with one reader has them. The slowest bounds the writer; one that is dropped bounds it no
/// more.
///
/// What lies where: `docs/wire/ring.md`. Used by the writer's thread alone.
public final class RingReaders {
    /// Who is told of a reader whose position cannot be; it is dropped.
    @FunctionalInterface
    public interface Wrong {
        /// Called once for each.
        void wrong(int reader, IllegalStateException why);
    }

    private final MemorySegment memory;
    private final long base;
    private final Wrong wrong;
    private final boolean[] dropped;

    /// Where each was when last looked at.
    private final long[] read;

    private final @Nullable ReadyBit[] ready;

    RingReaders(MemorySegment memory, long base, int count, Wrong wrong) {
        this.memory = memory;
        this.base = base;
        this.wrong = wrong;
        this.dropped = new boolean[count];
        this.read = new long[count];
        this.ready = new ReadyBit[count];
        if (count < 1 || base + (long) count * CONTROL > memory.byteSize()) {
            throw new IllegalArgumentException(count + " readers do not fit at " + base);
        }
    }

    private long control(int reader) {
        return base + (long) reader * CONTROL;
    }

    /// Where to say that there is something to read, while this reader rests; null: nowhere.
    public void announce(int reader, @Nullable ReadyBit bit) {
        ready[reader] = bit;
    }

    /// Whether the reader has come: it sees this very memory.
    public boolean hasCome(int reader) {
        return (int) INT.getAcquire(memory, control(reader) + READER_CAME) != 0;
    }

    /// It bounds the writer no more.
    public void drop(int reader) {
        dropped[reader] = true;
    }

    /// Where the slowest is, and if there is none, the end of what was written.
    long slowest(long end) {
        long least = end;
        for (int i = 0; i < read.length; i++) {
            if (!dropped[i]) {
                least = Math.min(least, position(i, end));
            }
        }
        return least;
    }

    /// Where a reader is, read once. One that says what cannot be is dropped, and does not count.
    ///
    /// Acquire: what it did with the memory it gave back happened before it is written to again.
    private long position(int reader, long end) {
        long now = (long) LONG.getAcquire(memory, control(reader) + READER_POSITION);
        long before = read[reader];
        if (now < before || now > end || now % ALIGNMENT != 0) {
            drop(reader);
            wrong.wrong(
                    reader,
                    new IllegalStateException(
                            "the reader says it is at "
                                    + now
                                    + " of a broadcast, but was at "
                                    + before
                                    + ", and what was written ends at "
                                    + end));
            return end;
        }
        read[reader] = now;
        return now;
    }

    /// Whether this reader has left room for what the writer last claimed in vain.
    public boolean follows(int reader, RingWriter writer) {
        return dropped[reader] || position(reader, writer.written()) >= writer.required();
    }

    /// To be asked for each reader after the last commit of a burst: must it be woken? Answers true
    /// once per sleep. Where the reader rests, sets its bit. With a fence only where the reader
    /// asks for it, for the reasons given at [RingWriter#mustWakeReader].
    public boolean mustWake(int reader) {
        VarHandle.acquireFence();
        long flag = control(reader) + READER_SLEEPS;
        return (int) INT.getOpaque(memory, flag) != 0 && tellIfItSleeps(flag, ready[reader]);
    }

    private boolean tellIfItSleeps(long at, @Nullable ReadyBit bit) {
        VarHandle.fullFence(); // the publication before the load of the flag
        int flag = (int) INT.getOpaque(memory, at);
        return (flag & (SLEEPS | RESTS)) != 0 && tell(at, bit);
    }

    private boolean tell(long at, @Nullable ReadyBit bit) {
        int flag = (int) INT.getAndBitwiseAnd(memory, at, FENCED);
        if ((flag & RESTS) != 0 && bit != null) {
            bit.set();
        }
        return (flag & SLEEPS) != 0;
    }

    /// Says that the writer is about to sleep until this reader follows.
    ///
    /// @return false: it does already
    public boolean sleep(int reader, RingWriter writer) {
        INT.setOpaque(memory, control(reader) + WRITER_WAITS, 1);
        VarHandle.fullFence(); // our flag before the load of the reader's position
        if (follows(reader, writer)) {
            awake(reader);
            return false;
        }
        return true;
    }

    /// Says that the writer is awake.
    public void awake(int reader) {
        INT.setOpaque(memory, control(reader) + WRITER_WAITS, 0);
    }
}
