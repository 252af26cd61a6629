package org.ibidem.link;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import org.ibidem.wait.Waitable;
import org.jspecify.annotations.Nullable;

/// A path that is the one below, but for what a test has it do otherwise. It is not tuned.
public class PathOver implements StreamPath {
    /// The one below.
    public final StreamPath below;

    /// Over this one.
    public PathOver(StreamPath below) {
        this.below = below;
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        return below.read(into);
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        return below.write(from);
    }

    @Override
    public Waitable readable() {
        return below.readable();
    }

    @Override
    public Waitable writable() {
        return below.writable();
    }

    @Override
    public void blocking(boolean wait) throws IOException {
        below.blocking(wait);
    }

    @Override
    public @Nullable SocketAddress local() {
        return below.local();
    }

    @Override
    public @Nullable SocketAddress remote() {
        return below.remote();
    }

    @Override
    public boolean isOpen() {
        return below.isOpen();
    }

    @Override
    public void end() throws IOException {
        below.end();
    }

    @Override
    public void reset() {
        below.reset();
    }

    @Override
    public void close() {
        below.close();
    }
}
