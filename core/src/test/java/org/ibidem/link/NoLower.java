package org.ibidem.link;

import java.nio.channels.SocketChannel;

/// For filters that need neither connections nor threads nor time.
public record NoLower(Terms terms) implements Lower {
    @Override
    public boolean active() {
        return true;
    }

    @Override
    public String key() {
        throw new AssertionError("needs no key");
    }

    @Override
    public SocketChannel socket() {
        throw new AssertionError("needs no connection");
    }

    @Override
    public Tasks tasks() {
        throw new AssertionError("needs no thread and no time");
    }
}
