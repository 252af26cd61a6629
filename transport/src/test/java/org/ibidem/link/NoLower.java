package org.ibidem.link;

import org.ibidem.buffer.BufferPool;
import org.ibidem.stack.FramesOverStream;
import org.ibidem.task.Tasks;
import org.jspecify.annotations.Nullable;

/// For filters that need neither connections nor threads, and time only where a clock is given.
///
/// @param line that nothing is known of, where none is given
public record NoLower(Terms terms, @Nullable Tasks clock, Line line) implements Lower {
    public NoLower(Terms terms) {
        this(terms, null);
    }

    public NoLower(Terms terms, @Nullable Tasks clock) {
        this(terms, clock, Line.UNKNOWN);
    }

    /// For who needs nothing but time.
    public NoLower(Tasks clock) {
        this(FramesOverStream.terms(new BufferPool()), clock);
    }

    @Override
    public boolean active() {
        return true;
    }

    @Override
    public String key() {
        throw new AssertionError("needs no key");
    }

    @Override
    public StreamPath stream() {
        throw new AssertionError("needs no connection");
    }

    @Override
    public DatagramPath datagrams() {
        throw new AssertionError("needs no datagrams");
    }

    @Override
    public Tasks tasks() {
        if (clock == null) {
            throw new AssertionError("needs no thread and no time");
        }
        return clock;
    }
}
