package org.ibidem.link;

import java.io.IOException;
import org.ibidem.task.Tasks;

/// What a [ConnectionFilter] gives a driver instead of the [Lower] below it: the same, but for the
/// streams that the filter makes. A driver above it meets its peer once.
public abstract class ForwardedLower implements Lower {
    private final Lower below;

    /// Over this one.
    protected ForwardedLower(Lower below) {
        this.below = below;
    }

    /// What it is over.
    protected final Lower below() {
        return below;
    }

    @Override
    public boolean active() {
        return below.active();
    }

    @Override
    public String key() {
        return below.key();
    }

    @Override
    public DatagramPath datagrams() throws IOException {
        return below.datagrams();
    }

    @Override
    public Tasks tasks() {
        return below.tasks();
    }

    @Override
    public Terms terms() {
        return below.terms();
    }

    @Override
    public Line line() {
        return below.line();
    }

    @Override
    public byte[] said() {
        return below.said();
    }

    @Override
    public Credentials credentials() throws IOException {
        return below.credentials();
    }
}
