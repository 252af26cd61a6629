package org.ibidem.personality.nio;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.NoConnectionPendingException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.ibidem.personality.sockets.Kept;
import org.ibidem.personality.sockets.LocalPorts;
import org.ibidem.personality.sockets.Sockets;
import org.ibidem.personality.vio.VioSocket;
import org.ibidem.wait.DirectWait;
import org.jspecify.annotations.Nullable;

/// A channel that becomes a VLink or stays the JDK's when it is connected.
final class MixedSocketChannel extends StreamChannel implements Mixed, LocalPorts.End {
    private final IbidemSelectorProvider owner;
    private final Set<SocketOption<?>> supported;
    private final Kept options = new Kept();
    private final Keys keys = new Keys();
    private final Object state = new Object();
    private final Socket socket = new ChannelSocket(this);
    private volatile @Nullable CompletableFuture<@Nullable VioSocket> connecting;
    private volatile @Nullable InetSocketAddress remote;
    private volatile @Nullable InetSocketAddress local;

    MixedSocketChannel(IbidemSelectorProvider owner, SocketChannel jdk) {
        super(owner, jdk, null);
        this.owner = owner;
        this.supported = jdk.supportedOptions();
    }

    /// One that was accepted.
    MixedSocketChannel(IbidemSelectorProvider owner, VioSocket vio, InetSocketAddress at)
            throws IOException {
        super(owner, null, vio);
        this.owner = owner;
        this.remote = Sockets.remote(vio.link());
        this.local = at;
        this.supported = owner.options();
    }

    @Override
    public SocketChannel bind(@Nullable SocketAddress to) throws IOException {
        requireOpen();
        if (connecting != null) {
            throw new ConnectionPendingException();
        }
        if (vio != null) {
            throw new AlreadyBoundException();
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
            connecting =
                    owner.sockets().connect(target, there.getPort(), port, this::connectBeside);
        }
        var _ = Objects.requireNonNull(connecting).whenComplete((_, _) -> keys.tell());
        return isBlocking() && finishConnect();
    }

    @Override
    void tell() {
        keys.tell();
    }

    private int localPort() throws IOException {
        int bound = jdk().getLocalAddress() instanceof InetSocketAddress at ? at.getPort() : 0;
        return owner.sockets().localPorts().of(this, bound);
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
        return vio != null || finishByJdk();
    }

    /// Waits for it, and says why it failed.
    private @Nullable IOException finish(CompletableFuture<@Nullable VioSocket> mine)
            throws IOException {
        IOException failed = null;
        boolean done = false;
        try {
            begin();
            var made = mine.join();
            if (made == null) {
                connecting = null; // the JDK's part goes on
            } else {
                become(made);
            }
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

    /// What this leads to listens on this machine: the JDK's part connects to that.
    private void connectBeside(Sockets.Beside beside) throws IOException {
        var mine = jdk();
        if (beside.from() != null && mine.getLocalAddress() == null) {
            mine.bind(new InetSocketAddress(beside.from(), 0));
        }
        mine.connect(beside.at());
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
        return isOpen() && (vio != null || (mine != null && mine.isConnected()));
    }

    @Override
    public boolean isConnectionPending() {
        var mine = jdk;
        return isOpen() && (connecting != null || (mine != null && mine.isConnectionPending()));
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

    /// Where a VLink leads, closed or not; null: it is none.
    @Nullable InetSocketAddress remote() {
        return vio == null ? null : remote;
    }

    /// Where it begins.
    @Nullable InetSocketAddress local() {
        return vio == null ? null : local;
    }

    @Override
    public @Nullable SocketAddress getRemoteAddress() throws IOException {
        requireOpen();
        var known = vio != null || isConnected() ? remote : null;
        return known != null ? known : jdk().getRemoteAddress();
    }

    @Override
    public @Nullable SocketAddress getLocalAddress() throws IOException {
        requireOpen();
        return vio != null ? local : jdk().getLocalAddress();
    }

    @Override
    public <T> SocketChannel setOption(SocketOption<T> name, T value) throws IOException {
        requireOpen();
        if (!supported.contains(Objects.requireNonNull(name))) {
            throw new UnsupportedOperationException("'" + name + "' not supported");
        }
        var mine = jdk;
        if (mine != null) {
            mine.setOption(name, value);
        }
        options.set(name, value);
        return this;
    }

    @Override
    public <T> @Nullable T getOption(SocketOption<T> name) throws IOException {
        requireOpen();
        if (!supported.contains(Objects.requireNonNull(name))) {
            throw new UnsupportedOperationException("'" + name + "' not supported");
        }
        var mine = jdk;
        return mine != null ? mine.getOption(name) : options.get(name);
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
                if (options.get(StandardSocketOptions.SO_LINGER) == 0) {
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
        var posted = connecting;
        boolean goesOn =
                mine != null
                        && (posted == null || posted.isDone())
                        && (mine.isConnected() || mine.isConnectionPending());
        return goesOn ? mine : null; // the system calls one that does not ready
    }

    @Override
    public int ready(int operations) {
        int now = 0;
        var mine = vio;
        var posted = connecting;
        var part = jdk;
        boolean begun = part != null && part.isConnectionPending(); // the JDK's selector tells
        if (posted != null && posted.isDone() && !begun) {
            now = SelectionKey.OP_CONNECT;
        } else if (mine != null) {
            boolean reads = (operations & SelectionKey.OP_READ) != 0;
            boolean writes = (operations & SelectionKey.OP_WRITE) != 0;
            now |= reads && (isInputOver() || mine.link().isReadable()) ? SelectionKey.OP_READ : 0;
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
    public @Nullable DirectWait waitsReadable(Selector selector, Runnable wakeup) {
        var mine = vio;
        return mine == null ? null : mine.link().waitsReadable(selector, wakeup);
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
