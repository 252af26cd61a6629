package org.ibidem.hub.relay;

import java.io.ByteArrayOutputStream;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A connection without another end: what is to come from it is put in, what was written to it can
/// be looked at.
final class Tap extends SocketChannel {
    private ByteBuffer in = ByteBuffer.allocate(0);
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private int room;

    Tap() {
        super(SelectorProvider.provider());
    }

    void put(ByteBuffer bytes) {
        in = bytes;
    }

    boolean hasMore() {
        return in.hasRemaining();
    }

    /// How much it takes from now on.
    void room(int bytes) {
        room = bytes;
    }

    ByteBuffer written() {
        return ByteBuffer.wrap(out.toByteArray());
    }

    @Override
    public int read(ByteBuffer into) {
        int now = Math.min(in.remaining(), into.remaining());
        into.put(in.slice(in.position(), now));
        in.position(in.position() + now);
        return now;
    }

    @Override
    public int write(ByteBuffer from) {
        int now = Math.min(from.remaining(), room);
        for (int i = 0; i < now; i++) {
            out.write(from.get());
        }
        room -= now;
        return now;
    }

    @Override
    protected void implCloseSelectableChannel() {
        room = 0;
    }

    @Override
    protected void implConfigureBlocking(boolean block) {}

    // What nobody here asks for.

    @Override
    public long read(ByteBuffer[] into, int offset, int length) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long write(ByteBuffer[] from, int offset, int length) {
        throw new UnsupportedOperationException();
    }

    @Override
    public SocketChannel bind(@Nullable SocketAddress local) {
        throw new UnsupportedOperationException();
    }

    @Override
    public <T> SocketChannel setOption(SocketOption<T> name, T value) {
        throw new UnsupportedOperationException();
    }

    @Override
    public <T> T getOption(SocketOption<T> name) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return Set.of();
    }

    @Override
    public SocketChannel shutdownInput() {
        throw new UnsupportedOperationException();
    }

    @Override
    public SocketChannel shutdownOutput() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Socket socket() {
        throw new UnsupportedOperationException();
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
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean finishConnect() {
        return true;
    }

    @Override
    public @Nullable SocketAddress getRemoteAddress() {
        return null;
    }

    @Override
    public @Nullable SocketAddress getLocalAddress() {
        return null;
    }
}
