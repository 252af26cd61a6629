package org.ibidem.personality.nio;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.NoConnectionPendingException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import org.ibidem.personality.sockets.Sockets;
import org.ibidem.personality.vio.VioSocket;
import org.jspecify.annotations.Nullable;

/// A channel that becomes a VLink or stays the JDK's when it is connected.
final class MixedSocketChannel extends SocketChannel implements Mixed {
    private final IbidemSelectorProvider owner;
    private final Set<SocketOption<?>> supported;
    private final Map<SocketOption<?>, Object> options = new ConcurrentHashMap<>();
    private final Keys keys = new Keys();
    private final Object state = new Object();
    private final Socket socket = new ChannelSocket(this);
    private volatile @Nullable SocketChannel jdk;
    private volatile @Nullable VioSocket vio;
    private volatile @Nullable CompletableFuture<VioSocket> connecting;
    private volatile @Nullable InetSocketAddress remote;
    private volatile @Nullable InetSocketAddress local;
    private volatile boolean inputOver;
    private volatile boolean outputOver;

    MixedSocketChannel(IbidemSelectorProvider owner, SocketChannel jdk) {
        super(owner);
        this.owner = owner;
        this.jdk = jdk;
        this.supported = jdk.supportedOptions();
    }

    /// One that was accepted.
    MixedSocketChannel(IbidemSelectorProvider owner, VioSocket vio, InetSocketAddress at) {
        super(owner);
        this.owner = owner;
        this.vio = vio;
        this.remote = Sockets.remote(vio.link());
        this.local = at;
        this.supported =
                Set.of(
                        StandardSocketOptions.TCP_NODELAY,
                        StandardSocketOptions.SO_KEEPALIVE,
                        StandardSocketOptions.SO_LINGER,
                        StandardSocketOptions.SO_RCVBUF,
                        StandardSocketOptions.SO_SNDBUF,
                        StandardSocketOptions.SO_REUSEADDR,
                        StandardSocketOptions.IP_TOS);
    }

    private void requireOpen() throws ClosedChannelException {
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
    }

    private SocketChannel jdk() throws ClosedChannelException {
        var mine = jdk;
        if (mine == null) {
            requireOpen();
            throw new NotYetConnectedException();
        }
        return mine;
    }

    @Override
    public SocketChannel bind(@Nullable SocketAddress to) throws IOException {
        requireOpen();
        if (connecting != null) {
            throw new ConnectionPendingException();
        }
        jdk().bind(to);
        return this;
    }

    @Override
    public boolean connect(SocketAddress to) throws IOException {
        requireOpen();
        if (vio != null) {
            throw new AlreadyConnectedException();
        }
        if (connecting != null) {
            throw new ConnectionPendingException();
        }
        var there = to instanceof InetSocketAddress address ? address : null;
        var target =
                there == null || jdk().isConnectionPending() ? null : owner.sockets().target(there);
        if (there == null || target == null) {
            return connectByJdk(to);
        }
        if (jdk().isConnected()) {
            throw new AlreadyConnectedException();
        }
        int port = localPort();
        synchronized (state) {
            remote = Sockets.known(there, target);
            local = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            connecting = owner.sockets().connect(target, there.getPort(), port);
        }
        var _ = Objects.requireNonNull(connecting).whenComplete((_, _) -> keys.tell());
        return isBlocking() && finishConnect();
    }

    private int localPort() throws IOException {
        return jdk().getLocalAddress() instanceof InetSocketAddress bound
                ? bound.getPort()
                : Sockets.localPort();
    }

    private boolean connectByJdk(SocketAddress to) throws IOException {
        try {
            boolean done = jdk().connect(to);
            keys.tell(); // it is to be waited for from now on
            return done;
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    @Override
    public boolean finishConnect() throws IOException {
        requireOpen();
        if (vio != null) {
            return true;
        }
        var mine = connecting;
        if (mine == null) {
            return finishByJdk();
        }
        if (!isBlocking() && !mine.isDone()) {
            return false;
        }
        var failed = finish(mine);
        if (failed != null) {
            throw closedBy(failed);
        }
        return true;
    }

    /// Waits for it, and says why it failed.
    private @Nullable IOException finish(CompletableFuture<VioSocket> mine) throws IOException {
        IOException failed = null;
        boolean done = false;
        try {
            begin();
            become(mine.join());
            done = true;
        } catch (CompletionException e) {
            failed = e.getCause() instanceof IOException known ? known : new IOException(e);
        } catch (CancellationException _) {
            failed = new ClosedChannelException();
        } finally {
            end(done || isOpen());
        }
        return failed;
    }

    private boolean finishByJdk() throws IOException {
        if (!isConnectionPending() && !isConnected()) {
            throw new NoConnectionPendingException();
        }
        try {
            return jdk().finishConnect();
        } catch (IOException e) {
            throw closedBy(e);
        }
    }

    private IOException closedBy(IOException e) throws IOException {
        close();
        return e;
    }

    private void become(VioSocket made) throws IOException {
        synchronized (state) {
            if (!isOpen()) {
                made.close();
                throw new ClosedChannelException();
            }
            vio = made;
            connecting = null;
            var mine = jdk;
            jdk = null;
            if (mine != null) {
                mine.close(); // its place in the system is not needed
            }
        }
        keys.tell();
    }

    @Override
    public boolean isConnected() {
        var mine = jdk;
        return vio != null || (mine != null && mine.isConnected());
    }

    @Override
    public boolean isConnectionPending() {
        var mine = jdk;
        return connecting != null || (mine != null && mine.isConnectionPending());
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        var mine = vio;
        if (mine == null) {
            return jdk().read(into);
        }
        requireOpen();
        if (inputOver) {
            return -1;
        }
        if (!isBlocking()) {
            return mine.readNow(into);
        }
        int done = 0;
        try {
            begin();
            done = mine.read(into, 0);
        } finally {
            end(done != 0 || !into.hasRemaining());
        }
        return done;
    }

    @Override
    public long read(ByteBuffer[] into, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, into.length);
        var mine = jdk;
        if (vio == null && mine != null) {
            return mine.read(into, offset, length);
        }
        long all = 0;
        for (int i = offset; i < offset + length; i++) {
            while (into[i].hasRemaining()) {
                int done = all == 0 ? read(into[i]) : Objects.requireNonNull(vio).readNow(into[i]);
                if (done <= 0) {
                    return all > 0 ? all : done;
                }
                all += done;
            }
        }
        return all;
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        var mine = vio;
        if (mine == null) {
            return jdk().write(from);
        }
        requireOpen();
        if (outputOver) {
            throw new ClosedChannelException();
        }
        if (!isBlocking()) {
            return mine.writeNow(from);
        }
        int before = from.remaining();
        try {
            begin();
            mine.write(from);
        } finally {
            end(!from.hasRemaining());
        }
        return before;
    }

    @Override
    public long write(ByteBuffer[] from, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, from.length);
        var mine = jdk;
        if (vio == null && mine != null) {
            return mine.write(from, offset, length);
        }
        long all = 0;
        for (int i = offset; i < offset + length; i++) {
            while (from[i].hasRemaining()) {
                int done = write(from[i]);
                if (done == 0) {
                    return all;
                }
                all += done;
            }
        }
        return all;
    }

    @Override
    public SocketChannel shutdownInput() throws IOException {
        var mine = vio;
        if (mine == null) {
            jdk().shutdownInput();
        } else {
            requireOpen();
            inputOver = true;
            mine.shutdownInput();
            keys.tell();
        }
        return this;
    }

    @Override
    public SocketChannel shutdownOutput() throws IOException {
        var mine = vio;
        if (mine == null) {
            jdk().shutdownOutput();
        } else {
            requireOpen();
            outputOver = true;
            mine.shutdownOutput();
        }
        return this;
    }

    boolean isInputOver() {
        return inputOver;
    }

    boolean isOutputOver() {
        return outputOver;
    }

    @Override
    public Socket socket() {
        return socket;
    }

    /// The JDK's adaptor, while this may become the JDK's.
    @Nullable Socket jdkSocket() {
        var mine = jdk;
        return mine == null || connecting != null ? null : mine.socket();
    }

    @Override
    public @Nullable SocketAddress getRemoteAddress() throws IOException {
        requireOpen();
        return vio != null ? remote : jdk().getRemoteAddress();
    }

    @Override
    public @Nullable SocketAddress getLocalAddress() throws IOException {
        requireOpen();
        return vio != null ? local : jdk().getLocalAddress();
    }

    @Override
    public <T> SocketChannel setOption(SocketOption<T> name, T value) throws IOException {
        requireOpen();
        if (!supported.contains(name)) {
            throw new UnsupportedOperationException("'" + name + "' not supported");
        }
        var mine = jdk;
        if (mine != null) {
            mine.setOption(name, value);
        }
        options.put(name, value);
        return this;
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T> @Nullable T getOption(SocketOption<T> name) throws IOException {
        requireOpen();
        if (!supported.contains(name)) {
            throw new UnsupportedOperationException("'" + name + "' not supported");
        }
        var mine = jdk;
        return mine != null
                ? mine.getOption(name)
                : (T) options.getOrDefault(name, Sockets.usual(name));
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return supported;
    }

    @Override
    protected void implCloseSelectableChannel() throws IOException {
        synchronized (state) {
            var mine = vio;
            if (mine != null) {
                if (Objects.equals(options.get(StandardSocketOptions.SO_LINGER), 0)) {
                    mine.abort("it was closed with a linger of 0");
                } else {
                    mine.close();
                }
            }
            var posted = connecting;
            if (posted != null) {
                posted.cancel(false);
            }
            var known = jdk;
            if (known != null) {
                known.close();
            }
        }
        keys.tell();
    }

    @Override
    protected void implConfigureBlocking(boolean block) throws IOException {
        var mine = jdk;
        if (mine != null && mine.isOpen()) {
            keys.leave();
            mine.configureBlocking(block);
        }
    }

    @Override
    public @Nullable SelectableChannel part() {
        var mine = jdk;
        boolean goesOn =
                mine != null
                        && connecting == null
                        && (mine.isConnected() || mine.isConnectionPending());
        return goesOn ? mine : null; // the system calls one that does not ready
    }

    @Override
    public int ready(int operations) {
        int now = 0;
        var mine = vio;
        var posted = connecting;
        if (posted != null && posted.isDone()) {
            now = SelectionKey.OP_CONNECT;
        } else if (mine != null) {
            boolean reads = (operations & SelectionKey.OP_READ) != 0;
            boolean writes = (operations & SelectionKey.OP_WRITE) != 0;
            now |= reads && (inputOver || mine.link().isReadable()) ? SelectionKey.OP_READ : 0;
            now |= writes && mine.link().isWritable() ? SelectionKey.OP_WRITE : 0;
        }
        return now & operations;
    }

    @Override
    public void watch(int operations, Runnable bell) {
        var mine = vio;
        if (mine != null) {
            if ((operations & SelectionKey.OP_READ) != 0) {
                mine.link().whenReadable(bell);
            }
            if ((operations & SelectionKey.OP_WRITE) != 0) {
                mine.link().whenWritable(bell);
            }
        }
    }

    @Override
    public void polled(boolean yes) {
        var mine = vio;
        if (mine != null) {
            mine.link().polled(yes);
        }
    }

    @Override
    public void unwatch(Runnable bell) {
        var mine = vio;
        if (mine != null) {
            mine.link().unwatch(bell);
        }
    }

    @Override
    public void known(MixedKey key, boolean yes) {
        keys.known(key, yes);
    }

    @Override
    public String toString() {
        return "SocketChannel["
                + (isOpen() ? (isConnected() ? "connected" : "unconnected") : "closed")
                + (vio == null ? ", native]" : ", " + Objects.requireNonNull(vio).link() + "]");
    }
}
