package org.ibidem.personality.nio;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.ibidem.personality.nio.VLinkChannel.Ends;
import org.ibidem.personality.sockets.Kept;
import org.ibidem.personality.sockets.LocalPorts;
import org.ibidem.personality.sockets.Sockets;
import org.ibidem.personality.vio.VioSocket;
import org.ibidem.wait.DirectWait;
import org.jspecify.annotations.Nullable;

/// A channel that becomes a VLink or stays the JDK's when it is connected.
final class MixedSocketChannel extends SocketChannel implements Mixed, LocalPorts.End {
    private final IbidemSelectorProvider owner;
    private final Set<SocketOption<?>> supported;
    private final Kept options = new Kept();
    private final Keys keys = new Keys();
    private final Object state = new Object();
    private final Socket socket = new ChannelSocket(this);

    /// The JDK's, which says itself what is wrong, until this becomes a VLink.
    private volatile SocketChannel delegate;

    private volatile @Nullable CompletableFuture<@Nullable VioSocket> connecting;

    /// Of a connect that a rule has found.
    private volatile @Nullable Ends ends;

    MixedSocketChannel(IbidemSelectorProvider owner, SocketChannel jdk) {
        super(owner);
        this.owner = owner;
        this.supported = jdk.supportedOptions();
        this.delegate = jdk;
    }

    /// One that was accepted.
    MixedSocketChannel(IbidemSelectorProvider owner, VioSocket vio, InetSocketAddress at)
            throws IOException {
        super(owner);
        this.owner = owner;
        this.supported = owner.options();
        this.delegate =
                new VLinkChannel(this, vio, options, new Ends(at, Sockets.remote(vio.link())));
    }

    /// Null: this is not one.
    @Nullable VLinkChannel vlink() {
        return delegate instanceof VLinkChannel mine ? mine : null;
    }

    private void requireOpen() throws ClosedChannelException {
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
    }

    private IOException closedBy(IOException e) throws IOException {
        close();
        return e;
    }

    @Override
    public SocketChannel bind(@Nullable SocketAddress to) throws IOException {
        requireOpen();
        if (connecting != null) {
            throw new ConnectionPendingException();
        }
        delegate.bind(to);
        return this;
    }

    @Override
    public boolean connect(SocketAddress to) throws IOException {
        requireOpen();
        if (connecting != null) {
            throw new ConnectionPendingException();
        }
        var mine = delegate;
        var there = to instanceof InetSocketAddress address ? address : null;
        var target =
                there == null || mine.isConnectionPending() ? null : owner.sockets().target(there);
        if (there == null || target == null) {
            return connectDelegate(to);
        }
        if (mine.isConnected()) {
            throw new AlreadyConnectedException();
        }
        int port = localPort();
        synchronized (state) {
            var local = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            ends = new Ends(local, Sockets.known(there, target));
            connecting =
                    owner.sockets().connect(target, there.getPort(), port, this::connectBeside);
        }
        var _ = Objects.requireNonNull(connecting).whenComplete((_, _) -> keys.tell());
        return isBlocking() && finishConnect();
    }

    private int localPort() throws IOException {
        int bound = delegate.getLocalAddress() instanceof InetSocketAddress at ? at.getPort() : 0;
        return owner.sockets().localPorts().of(this, bound);
    }

    private boolean connectDelegate(SocketAddress to) throws IOException {
        try {
            boolean done = delegate.connect(to);
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
        var posted = connecting;
        if (posted != null) {
            if (!isBlocking() && !posted.isDone()) {
                return false;
            }
            var failed = finish(posted);
            if (failed != null) {
                throw closedBy(failed);
            }
        }
        try {
            return delegate.finishConnect();
        } catch (IOException e) {
            throw closedBy(e);
        }
    }

    /// Waits for it, and says why it failed.
    private @Nullable IOException finish(CompletableFuture<@Nullable VioSocket> posted)
            throws IOException {
        IOException failed = null;
        boolean done = false;
        try {
            begin();
            var made = posted.join();
            if (made == null) {
                connecting = null; // the JDK's goes on
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

    /// What this leads to listens on this machine: the JDK's part connects to that.
    private void connectBeside(Sockets.Beside beside) throws IOException {
        var mine = delegate;
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
            if (connecting == null) {
                return; // another thread has finished it
            }
            var unused = delegate;
            delegate = new VLinkChannel(this, made, options, Objects.requireNonNull(ends));
            connecting = null;
            unused.close(); // its place in the system is not needed
        }
        keys.tell();
    }

    @Override
    public boolean isConnected() {
        return isOpen() && delegate.isConnected();
    }

    @Override
    public boolean isConnectionPending() {
        return isOpen() && (connecting != null || delegate.isConnectionPending());
    }

    /// An interrupt has closed the delegate: this is closed, too.
    private AsynchronousCloseException closed(AsynchronousCloseException e) throws IOException {
        if (!delegate.isOpen()) {
            close();
        }
        return e;
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        return read(into, 0);
    }

    /// @param millis how long it may wait, where it waits; 0: for ever
    int read(ByteBuffer into, int millis) throws IOException {
        var mine = delegate;
        try {
            if (millis == 0) {
                return mine.read(into);
            }
            return mine instanceof VLinkChannel vlink
                    ? vlink.read(into, millis)
                    : readBySocket(mine.socket(), into, millis);
        } catch (AsynchronousCloseException e) {
            throw closed(e);
        }
    }

    /// Only sockets of the JDK's have a time limit.
    private static int readBySocket(Socket from, ByteBuffer into, int millis) throws IOException {
        from.setSoTimeout(millis);
        var bytes = new byte[into.remaining()];
        int done = from.getInputStream().read(bytes);
        if (done > 0) {
            into.put(bytes, 0, done);
        }
        return done;
    }

    @Override
    public long read(ByteBuffer[] into, int offset, int length) throws IOException {
        try {
            return delegate.read(into, offset, length);
        } catch (AsynchronousCloseException e) {
            throw closed(e);
        }
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        try {
            return delegate.write(from);
        } catch (AsynchronousCloseException e) {
            throw closed(e);
        }
    }

    @Override
    public long write(ByteBuffer[] from, int offset, int length) throws IOException {
        try {
            return delegate.write(from, offset, length);
        } catch (AsynchronousCloseException e) {
            throw closed(e);
        }
    }

    @Override
    public SocketChannel shutdownInput() throws IOException {
        delegate.shutdownInput();
        keys.tell(); // a read is told of its end at once
        return this;
    }

    @Override
    public SocketChannel shutdownOutput() throws IOException {
        delegate.shutdownOutput();
        return this;
    }

    @Override
    public Socket socket() {
        return socket;
    }

    /// The JDK's adaptor, while this may become the JDK's.
    @Nullable Socket jdkSocket() {
        return connecting != null || vlink() != null ? null : delegate.socket();
    }

    /// What can be read without waiting.
    int available() throws IOException {
        requireOpen();
        var mine = vlink();
        return mine == null
                ? delegate.socket().getInputStream().available()
                : mine.link().available();
    }

    @Override
    public @Nullable SocketAddress getRemoteAddress() throws IOException {
        requireOpen();
        var known = isConnected() ? ends : null; // as the program knows it, wherever it leads
        return known != null ? known.remote() : delegate.getRemoteAddress();
    }

    @Override
    public @Nullable SocketAddress getLocalAddress() throws IOException {
        requireOpen();
        return delegate.getLocalAddress();
    }

    private void requireSupported(SocketOption<?> name) throws ClosedChannelException {
        requireOpen();
        if (!supported.contains(Objects.requireNonNull(name))) {
            throw new UnsupportedOperationException("'" + name + "' not supported");
        }
    }

    @Override
    public <T> SocketChannel setOption(SocketOption<T> name, T value) throws IOException {
        requireSupported(name);
        delegate.setOption(name, value);
        options.set(name, value); // for what this may become
        return this;
    }

    @Override
    public <T> @Nullable T getOption(SocketOption<T> name) throws IOException {
        requireSupported(name);
        return delegate.getOption(name);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return supported;
    }

    @Override
    protected void implCloseSelectableChannel() throws IOException {
        synchronized (state) {
            var posted = connecting;
            if (posted != null) {
                posted.cancel(false);
            }
            delegate.close();
        }
        keys.tell();
    }

    @Override
    protected void implConfigureBlocking(boolean block) throws IOException {
        var mine = delegate;
        if (!(mine instanceof VLinkChannel) && mine.isOpen()) { // a VLink asks this
            keys.leave();
            mine.configureBlocking(block);
        }
    }

    @Override
    public @Nullable SelectableChannel part() {
        var mine = delegate;
        var posted = connecting;
        boolean goesOn =
                !(mine instanceof VLinkChannel)
                        && (posted == null || posted.isDone())
                        && (mine.isConnected() || mine.isConnectionPending());
        return goesOn ? mine : null; // the system calls one that does not ready
    }

    @Override
    public int ready(int operations) {
        var posted = connecting;
        var mine = delegate;
        int now = 0;
        if (mine instanceof VLinkChannel vlink) {
            now = vlink.ready(operations);
        } else if (posted != null && posted.isDone() && !mine.isConnectionPending()) {
            now = operations & SelectionKey.OP_CONNECT; // later the JDK's selector tells
        }
        return isOpen() ? now : 0; // asked last: closing it makes it readable
    }

    @Override
    public void watch(int operations, Runnable bell) {
        var mine = vlink();
        if (mine != null) {
            mine.watch(operations, bell);
        }
    }

    @Override
    public @Nullable DirectWait waitsReadable(Selector selector, Runnable wakeup) {
        var mine = vlink();
        return mine == null ? null : mine.link().waitsReadable(selector, wakeup);
    }

    @Override
    public void polled(boolean yes) {
        var mine = vlink();
        if (mine != null) {
            mine.link().polled(yes);
        }
    }

    @Override
    public void unwatch(Runnable bell) {
        var mine = vlink();
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
        var mine = vlink();
        return "SocketChannel["
                + (isOpen() ? (isConnected() ? "connected" : "unconnected") : "closed")
                + (mine == null ? ", native]" : ", " + mine.link() + "]");
    }
}
