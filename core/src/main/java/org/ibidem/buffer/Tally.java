package org.ibidem.buffer;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// A row of counters that one side of one connection keeps and others read, perhaps from another
/// process. Each counter has one writer at a time; counting is one load and one store, of messages
/// one store.
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

    /// What the first two say: whoever counts need not ask the memory, which takes as long.
    private long messages;

    private long bytes;

    /// A row that begins at `at`, with nothing counted yet.
    public Tally(MemorySegment memory, long at) {
        this.memory = memory.asSlice(at, BYTES);
    }

    /// A row that nobody but this process sees.
    public static Tally unseen() {
        return new Tally(Arena.ofAuto().allocate(APART, APART), 0);
    }

    /// Counts.
    public void add(What what, long more) {
        int at = what.offset;
        memory.set(LONG, at, memory.get(LONG, at) + more);
    }

    /// Counts a message; the hot path.
    public void message(long size) {
        count(size);
        show();
    }

    /// Counts a message that others see counted after [#show].
    public void count(long size) {
        messages++;
        bytes += size;
    }

    /// Shows others the messages that were counted.
    public void show() {
        memory.set(LONG, 0, messages);
        memory.set(LONG, Long.BYTES, bytes);
    }

    /// What a counter says now.
    public long get(What what) {
        return memory.get(LONG, what.offset);
    }
}
