package org.ibidem.link;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.ibidem.wait.Waitable;
import org.jspecify.annotations.Nullable;

/// A stream that is the one below, but for what a test has it do otherwise.
public class StreamOver implements ByteStream {
    /// The one below.
    protected final ByteStream below;

    /// Over this one.
    public StreamOver(ByteStream below) {
        this.below = below;
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        return below.write(from);
    }

    @Override
    public boolean flush() throws IOException {
        return below.flush();
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        return below.read(into);
    }

    @Override
    public @Nullable Waitable readable() {
        return below.readable();
    }

    @Override
    public @Nullable Waitable writable() {
        return below.writable();
    }

    @Override
    public void close() {
        below.close();
    }
}
