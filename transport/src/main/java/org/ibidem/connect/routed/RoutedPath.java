package org.ibidem.connect.routed;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import org.ibidem.link.StreamPath;
import org.ibidem.topology.NodeId;
import org.ibidem.wait.Waitable;
import org.jspecify.annotations.Nullable;

/// A stream of a trunk as a path.
final class RoutedPath implements StreamPath, Overheard {
    private final RoutedStream stream;
    private final @Nullable SocketAddress local;
    private final SocketAddress remote;
    private volatile boolean waits = true;
    private volatile boolean open = true;

    RoutedPath(RoutedStream stream) {
        this(stream, null, new RoutedAddress(stream.peer(), stream.routed()));
    }

    /// @param local where this end is, if it is anywhere
    /// @param remote where the other end is
    RoutedPath(RoutedStream stream, @Nullable SocketAddress local, SocketAddress remote) {
        this.stream = stream;
        this.local = local;
        this.remote = remote;
    }

    /// Comes of the trunk only where nobody stands between: who speaks through a hub is not heard
    /// when the hub is.
    @Override
    public void onSign(Runnable told) {
        stream.onSign(told);
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        try {
            return stream.read(into, waits);
        } catch (InterruptedException _) {
            throw interrupted();
        }
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        try {
            return stream.write(from, waits);
        } catch (InterruptedException _) {
            throw interrupted();
        }
    }

    /// As channels do when the thread in them is interrupted.
    private IOException interrupted() {
        Thread.currentThread().interrupt();
        close();
        return new ClosedByInterruptException();
    }

    @Override
    public void blocking(boolean wait) throws IOException {
        requireOpen();
        waits = wait;
    }

    @Override
    public void end() throws IOException {
        requireOpen();
        stream.end();
    }

    private void requireOpen() throws IOException {
        if (!open) {
            throw new ClosedChannelException();
        }
    }

    /// Whoever is at its other end: with a stream of a trunk that is a node, not an address.
    NodeId peer() {
        return stream.peer();
    }

    @Override
    public @Nullable SocketAddress local() {
        return local;
    }

    @Override
    public SocketAddress remote() {
        return remote;
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    @Override
    public boolean drain(Duration limit) {
        return stream.drain(limit);
    }

    @Override
    public void close() {
        open = false;
        stream.close();
    }

    /// The trunk says only that the stream has ended.
    @Override
    public void reset() {
        close();
    }

    @Override
    public Waitable readable() {
        return stream.reading();
    }

    @Override
    public Waitable writable() {
        return stream.writing();
    }
}
