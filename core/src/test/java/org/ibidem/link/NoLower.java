package org.ibidem.link;

import org.jspecify.annotations.Nullable;

/// For filters that need neither connections nor threads, and time only where a clock is given.
public record NoLower(Terms terms, @Nullable Tasks clock) implements Lower {
    public NoLower(Terms terms) {
        this(terms, null);
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
