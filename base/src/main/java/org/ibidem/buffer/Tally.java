package org.ibidem.buffer;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// A row of counters that one side of one connection keeps and others read, perhaps from another
/// process. Each counter has one writer at a time. What every message counts is counted in this
/// object, one store for each counter, and copied to the row a moment later by [#show].
public final class Tally {
    /// What is counted, in the order of the row.
    public enum What {
        /// Messages, sent or received.
        MESSAGES(0),
        /// Bytes of these.
        BYTES(8),
        /// Claims that found no room.
        REFUSED(16),
        /// Times a sleeping peer was woken.
        DOORBELLS(24),
        /// Waits that spun until something came.
        SPINS(32),
        /// Times a waiter slept.
        SLEEPS(40),
        /// Times a ring moved to a larger place.
        MOVES(48);

        private final int offset;

        What(int offset) {
            this.offset = offset;
        }

        /// Where it stands in the row, in bytes.
        public int offset() {
            return offset;
        }
    }

    /// Bytes of a row.
    public static final int BYTES = 64;

    /// Two cache lines, which processors fetch together: who counts here disturbs nobody.
    private static final int APART = 2 * BYTES;

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    private final MemorySegment memory;
    private final Runnable begins;

    // What the first two will say. Whoever shows them may be another thread: after a moment it sees
    // what was counted, and until then the row says what was true before.
    private long messages;
    private long bytes;

    /// Somebody will show what is counted.
    private boolean watched;

    /// A row that begins at `at`, with nothing counted yet.
    ///
    /// @param begins called when messages are counted that nobody has promised to [#show]
    public Tally(MemorySegment memory, long at, Runnable begins) {
        this.memory = memory.asSlice(at, BYTES);
        this.begins = begins;
    }

    /// A row that nobody but this process sees.
    public static Tally unseen() {
        return new Tally(Arena.ofAuto().allocate(APART, APART), 0, () -> {});
    }

    /// Counts what is neither messages nor their bytes.
    public void add(What what, long more) {
        int at = what.offset;
        memory.set(LONG, at, memory.get(LONG, at) + more);
    }

    /// Counts a message; the hot path.
    public void count(long size) {
        messages++;
        bytes += size;
        if (!watched) {
            watched = true;
            begins.run();
        }
    }

    /// Copies the messages that were counted to where others see them. One thread at a time.
    ///
    /// @return whether there are more than before
    public boolean show() {
        long count = messages;
        boolean more = count != memory.get(LONG, What.MESSAGES.offset);
        memory.set(LONG, What.MESSAGES.offset, count);
        memory.set(LONG, What.BYTES.offset, bytes);
        return more;
    }

    /// Nobody shows any more what is counted from now on. Who counts at this moment may miss that:
    /// a last look is to be made later.
    public void unwatched() {
        watched = false;
    }

    /// What a counter says now.
    public long get(What what) {
        return switch (what) {
            case MESSAGES -> messages;
            case BYTES -> bytes;
            default -> memory.get(LONG, what.offset);
        };
    }
}
