package org.ibidem.connect.routed;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.Set;
import org.ibidem.link.Sleepy;
import org.ibidem.link.SleepyChannel;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// A stream of a trunk, in the shape of the TCP connection it stands for: whatever is made for
/// connected sockets works on it. Only a selector does not take it; it says itself how to sleep.
final class RoutedChannel extends SocketChannel implements SleepyChannel, Overheard {
    private final RoutedStream stream;
    private final SocketAddress remote;

    RoutedChannel(RoutedStream stream) {
        this(stream, new RoutedAddress(stream.peer(), stream.routed()));
    }

    /// @param remote where the other end is
    RoutedChannel(RoutedStream stream, SocketAddress remote) {
        super(SelectorProvider.provider());
        this.stream = stream;
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
            return stream.read(into, isBlocking());
        } catch (InterruptedException _) {
            throw interrupted();
        }
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        try {
            return stream.write(from, isBlocking());
        } catch (InterruptedException _) {
            throw interrupted();
        }
    }

    /// As other channels do when the thread in them is interrupted.
    private IOException interrupted() throws IOException {
        Thread.currentThread().interrupt();
        close();
        return new ClosedByInterruptException();
    }

    @Override
    public long read(ByteBuffer[] into, int offset, int length) throws IOException {
        long all = 0;
        for (int i = offset; i < offset + length; i++) {
            if (into[i].hasRemaining() && (all == 0 || stream.readable() > 0)) {
                int got = read(into[i]);
                if (got < 0) {
                    return all == 0 ? -1 : all;
                }
                all += got;
            }
        }
        return all;
    }

    @Override
    public long write(ByteBuffer[] from, int offset, int length) throws IOException {
        long all = 0;
        for (int i = offset; i < offset + length; i++) {
            all += write(from[i]);
            if (from[i].hasRemaining()) {
                return all;
            }
        }
        return all;
    }

    @Override
    public SocketChannel shutdownOutput() throws IOException {
        requireOpen();
        stream.end();
        return this;
    }

    @Override
    public SocketChannel shutdownInput() throws IOException {
        requireOpen();
        stream.readNoMore();
        return this;
    }

    private void requireOpen() throws IOException {
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
    }

    /// Whoever is at its other end: with a stream of a trunk that is a node, not an address.
    NodeId peer() {
        return stream.peer();
    }

    @Override
    protected void implCloseSelectableChannel() {
        stream.close();
    }

    /// Every read and write looks at it.
    @Override
    protected void implConfigureBlocking(boolean block) {}

    @Override
    public Sleepy readable() {
        return stream.reading();
    }

    @Override
    public Sleepy writable() {
        return stream.writing();
    }

    // What only a socket has.

    /// Sockets have options; where it does not matter that this one has none, it is silent.
    @Override
    public <T> SocketChannel setOption(SocketOption<T> name, T value) {
        return this;
    }

    @Override
    @SuppressWarnings("NullAway") // the JDK's own answer for an option that is not set
    public <T> @Nullable T getOption(SocketOption<T> name) {
        return null;
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return Set.of();
    }

    @Override
    public SocketChannel bind(@Nullable SocketAddress local) {
        throw new AlreadyConnectedException();
    }

    @Override
    public Socket socket() {
        throw new UnsupportedOperationException("a routed stream has no socket");
    }

    @Override
    public boolean isConnected() {
        return true;
    }

    @Override
    public boolean isConnectionPending() {
        return false;
    }

    @Override
    public boolean connect(SocketAddress remote) {
        throw new AlreadyConnectedException();
    }

    @Override
    public boolean finishConnect() {
        return true;
    }

    @Override
    public SocketAddress getRemoteAddress() throws IOException {
        requireOpen();
        return remote;
    }

    @Override
    public SocketAddress getLocalAddress() throws IOException {
        requireOpen();
        return new RoutedAddress(stream.me(), stream.routed());
    }
}
