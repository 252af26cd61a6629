package org.ibidem.filter.parallel;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.ibidem.buffer.BufferPool;
import org.ibidem.link.DatagramPath;
import org.ibidem.link.Lower;
import org.ibidem.link.StreamPath;
import org.ibidem.link.Terms;
import org.ibidem.stack.FramesOverStream;

/// What lies below one of two ends that meet again and again.
abstract class Meeting implements Lower {
    private final boolean active;
    private final StreamPath first;
    private final CompletableFuture<Consumer<StreamPath>> takes;

    /// @param takes the same at both ends: what the one that did not ask does with what comes
    Meeting(boolean active, StreamPath first, CompletableFuture<Consumer<StreamPath>> takes) {
        this.active = active;
        this.first = first;
        this.takes = takes;
    }

    /// The ends of a new connection, that of who asked for the link first.
    abstract StreamPath[] connected() throws IOException;

    @Override
    public boolean active() {
        return active;
    }

    @Override
    public String key() {
        return "0".repeat(32);
    }

    @Override
    public StreamPath stream() {
        return first;
    }

    @Override
    public Again again(Consumer<StreamPath> arrived) {
        if (!active) {
            takes.complete(arrived);
        }
        return new Again() {
            @Override
            public StreamPath stream() throws IOException {
                var both = connected();
                takes.join().accept(both[1]);
                return both[0];
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public DatagramPath datagrams() throws IOException {
        throw new IOException("there are none here");
    }

    @Override
    public Terms terms() {
        return FramesOverStream.terms(new BufferPool());
    }
}
