package org.ibidem.personality.aio;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.CompletionHandler;
import java.nio.channels.ConnectionPendingException;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.ibidem.personality.aio.AioStream.Limit;
import org.ibidem.personality.sockets.Kept;
import org.ibidem.personality.sockets.LocalPorts;
import org.ibidem.personality.sockets.Rules;
import org.ibidem.personality.sockets.Sockets;
import org.ibidem.personality.vio.VioSocket;
import org.jspecify.annotations.Nullable;

/// A channel that becomes a VLink or stays the JDK's when it is connected.
final class AioSocketChannel extends AsynchronousSocketChannel implements LocalPorts.End {
    private final IbidemAsynchronousChannelProvider owner;
    private final AioGroup group;
    private final Set<SocketOption<?>> supported;
    private final Kept options = new Kept();
    private final Object state = new Object();

    /// While this may be or become the JDK's: it says itself what is wrong.
    private volatile @Nullable AsynchronousSocketChannel jdk;

    private volatile @Nullable AioStream stream;
    private volatile @Nullable InetSocketAddress remote;
    private volatile @Nullable InetSocketAddress local;
    private volatile @Nullable CompletableFuture<@Nullable VioSocket> connecting;
    private @Nullable Operation<Void> connect;
    private volatile boolean closed;

    /// One that is to be connected, or that the JDK has accepted.
    AioSocketChannel(
            IbidemAsynchronousChannelProvider owner, AioGroup group, AsynchronousSocketChannel jdk)
            throws IOException {
        super(owner);
        this.owner = owner;
        this.group = group;
        this.jdk = jdk;
        this.supported = jdk.supportedOptions();
        try {
            group.enter(this);
        } catch (RuntimeException e) {
            jdk.close();
            throw e;
        }
    }

    /// One that was accepted as a VLink.
    AioSocketChannel(AioServerChannel from, VioSocket vio, InetSocketAddress at) {
        super(from.provider());
        this.owner = from.owner();
        this.group = from.group();
        this.stream = new AioStream(vio, this::closeNow);
        this.remote = Sockets.remote(vio.link());
        this.local = at;
        this.supported = from.supportedByAccepted();
        try {
            group.enter(this);
        } catch (RuntimeException e) {
            vio.close();
            throw e;
        }
    }

    private AioStream stream() {
        return Objects.requireNonNull(stream, "it is no VLink");
    }

    @Override
    public boolean isOpen() {
        var mine = jdk;
        return !closed && (mine == null || mine.isOpen());
    }

    private void requireOpen() throws ClosedChannelException {
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
    }

    @Override
    public Future<Void> connect(SocketAddress to) {
        return connect(to, Operation.future(group));
    }

    @Override
    public <A> void connect(
            SocketAddress to, A attachment, CompletionHandler<Void, ? super A> handler) {
        var _ = connect(to, Operation.telling(group, attachment, handler));
    }

    private Operation<Void> connect(SocketAddress to, Operation<Void> operation) {
        if (!isOpen()) {
            operation.fail(new ClosedChannelException());
            return operation;
        }
        AsynchronousSocketChannel mine;
        synchronized (state) {
            if (stream != null) {
                throw new AlreadyConnectedException();
            }
            if (connect != null && !connect.isDone()) {
                throw new ConnectionPendingException();
            }
            mine = Objects.requireNonNull(jdk);
            connect = operation;
        }
        var there = to instanceof InetSocketAddress address ? address : null;
        var target = there == null || isConnected(mine) ? null : owner.sockets().target(there);
        if (there == null || target == null) {
            connectByJdk(mine, to, operation);
        } else {
            connectByVLink(there, target, operation);
        }
        return operation;
    }

    private static boolean isConnected(AsynchronousSocketChannel jdk) {
        try {
            return jdk.getRemoteAddress() != null;
        } catch (IOException _) { // it is closed, which it says itself
            return true;
        }
    }

    /// What is wrong with the address, or that it is connected, is thrown by the JDK's.
    private void connectByJdk(
            AsynchronousSocketChannel mine, SocketAddress to, Operation<Void> operation) {
        operation.whenCancelled(hard -> {
            if (hard) {
                closeNow();
            }
        });
        try {
            mine.connect(
                    to,
                    null,
                    new CompletionHandler<Void, @Nullable Void>() {
                        @Override
                        public void completed(Void nothing, @Nullable Void attachment) {
                            operation.succeed(null);
                        }

                        @Override
                        public void failed(Throwable why, @Nullable Void attachment) {
                            closeNow();
                            operation.fail(why);
                        }
                    });
        } catch (RuntimeException e) {
            synchronized (state) {
                connect = null;
            }
            throw e;
        }
    }

    private void connectByVLink(
            InetSocketAddress there, Rules.Target target, Operation<Void> operation) {
        CompletableFuture<@Nullable VioSocket> future;
        try {
            int port = localPort();
            synchronized (state) {
                requireOpen();
                remote = Sockets.known(there, target);
                local = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
                future =
                        owner.sockets()
                                .connect(
                                        target,
                                        there.getPort(),
                                        port,
                                        beside -> connectBeside(beside, operation));
                connecting = future;
            }
        } catch (IOException e) {
            operation.fail(e);
            return;
        }
        operation.whenCancelled(hard -> {
            future.cancel(false);
            if (hard) {
                closeNow();
            }
        });
        var _ = future.whenComplete((made, why) -> connected(operation, made, why));
    }

    /// What this leads to listens on this machine: the JDK's channel connects to that.
    private void connectBeside(Sockets.Beside beside, Operation<Void> operation)
            throws IOException {
        var mine = jdk;
        if (mine == null || operation.isDone()) {
            return; // it was given up
        }
        if (beside.from() != null && mine.getLocalAddress() == null) {
            mine.bind(new InetSocketAddress(beside.from(), 0));
        }
        connectByJdk(mine, beside.at(), operation);
    }

    private int localPort() throws IOException {
        var mine = jdk;
        var bound = mine == null ? null : mine.getLocalAddress();
        return owner.sockets()
                .localPorts()
                .of(this, bound instanceof InetSocketAddress address ? address.getPort() : 0);
    }

    private void connected(
            Operation<Void> operation, @Nullable VioSocket made, @Nullable Throwable why) {
        if (made == null && why == null) {
            connecting = null; // the JDK's goes on
            return;
        }
        if (made == null) {
            var cause =
                    why instanceof CompletionException && why.getCause() != null
                            ? why.getCause()
                            : why;
            connecting = null;
            if (operation.isDone()) {
                return; // it was cancelled, or the channel was closed
            }
            closeNow(); // as the JDK does
            operation.fail(cause == null ? new ClosedChannelException() : cause);
            return;
        }
        AsynchronousSocketChannel unused;
        synchronized (state) {
            unused = jdk;
            if (!closed && !operation.isDone()) {
                stream = new AioStream(made, this::closeNow);
                jdk = null; // its place in the system is not needed
            }
            connecting = null;
        }
        if (stream == null) {
            made.close();
            return;
        }
        close(unused);
        operation.succeed(null);
    }

    private static void close(@Nullable AsynchronousSocketChannel unused) {
        if (unused != null) {
            try {
                unused.close();
            } catch (IOException e) {
                throw new UncheckedIOException("a channel that was not needed", e);
            }
        }
    }

    @Override
    public Future<Integer> read(ByteBuffer into) {
        var mine = jdk;
        return mine != null
                ? mine.read(into)
                : stream().read(Operation.future(group), into, Limit.NONE);
    }

    @Override
    public <A> void read(
            ByteBuffer into,
            long timeout,
            TimeUnit unit,
            A attachment,
            CompletionHandler<Integer, ? super A> handler) {
        var mine = jdk;
        if (mine != null) {
            mine.read(into, timeout, unit, attachment, handler);
        } else {
            var operation = Operation.<Integer, A>telling(group, attachment, handler);
            var _ = stream().read(operation, into, new Limit(timeout, unit));
        }
    }

    @Override
    public <A> void read(
            ByteBuffer[] into,
            int offset,
            int length,
            long timeout,
            TimeUnit unit,
            A attachment,
            CompletionHandler<Long, ? super A> handler) {
        var mine = jdk;
        if (mine != null) {
            mine.read(into, offset, length, timeout, unit, attachment, handler);
        } else {
            var operation = Operation.<Long, A>telling(group, attachment, handler);
            var those = AioStream.some(into, offset, length);
            var _ = stream().scatter(operation, those, new Limit(timeout, unit));
        }
    }

    @Override
    public Future<Integer> write(ByteBuffer from) {
        var mine = jdk;
        return mine != null
                ? mine.write(from)
                : stream().write(Operation.future(group), from, Limit.NONE);
    }

    @Override
    public <A> void write(
            ByteBuffer from,
            long timeout,
            TimeUnit unit,
            A attachment,
            CompletionHandler<Integer, ? super A> handler) {
        var mine = jdk;
        if (mine != null) {
            mine.write(from, timeout, unit, attachment, handler);
        } else {
            var operation = Operation.<Integer, A>telling(group, attachment, handler);
            var _ = stream().write(operation, from, new Limit(timeout, unit));
        }
    }

    @Override
    public <A> void write(
            ByteBuffer[] from,
            int offset,
            int length,
            long timeout,
            TimeUnit unit,
            A attachment,
            CompletionHandler<Long, ? super A> handler) {
        var mine = jdk;
        if (mine != null) {
            mine.write(from, offset, length, timeout, unit, attachment, handler);
        } else {
            var operation = Operation.<Long, A>telling(group, attachment, handler);
            var those = AioStream.some(from, offset, length);
            var _ = stream().gather(operation, those, new Limit(timeout, unit));
        }
    }

    @Override
    public AsynchronousSocketChannel shutdownInput() throws IOException {
        var mine = jdk;
        if (mine != null) {
            mine.shutdownInput();
        } else {
            stream().shutdownInput();
        }
        return this;
    }

    @Override
    public AsynchronousSocketChannel shutdownOutput() throws IOException {
        var mine = jdk;
        if (mine != null) {
            mine.shutdownOutput();
        } else {
            stream().shutdownOutput();
        }
        return this;
    }

    @Override
    public AsynchronousSocketChannel bind(@Nullable SocketAddress to) throws IOException {
        if (connecting != null) {
            throw new ConnectionPendingException();
        }
        var mine = jdk;
        if (mine == null) {
            requireOpen();
            throw new AlreadyBoundException();
        }
        mine.bind(to);
        return this;
    }

    @Override
    public @Nullable SocketAddress getRemoteAddress() throws IOException {
        requireOpen();
        var mine = jdk;
        var there = mine == null ? null : mine.getRemoteAddress();
        return mine == null || (there != null && remote != null) ? remote : there;
    }

    @Override
    public @Nullable SocketAddress getLocalAddress() throws IOException {
        requireOpen();
        var mine = jdk;
        return mine != null ? mine.getLocalAddress() : local;
    }

    private void requireSupported(SocketOption<?> name) {
        if (!supported.contains(Objects.requireNonNull(name))) {
            throw new UnsupportedOperationException("'" + name + "' not supported");
        }
    }

    @Override
    public <T> AsynchronousSocketChannel setOption(SocketOption<T> name, T value)
            throws IOException {
        requireOpen();
        requireSupported(name);
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
        requireSupported(name);
        var mine = jdk;
        return mine != null ? mine.getOption(name) : options.get(name);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return supported;
    }

    @Override
    public void close() throws IOException {
        Operation<Void> unconnected;
        synchronized (state) {
            if (closed) {
                return;
            }
            closed = true;
            unconnected = connecting == null ? null : connect;
        }
        var future = connecting;
        if (unconnected != null) {
            unconnected.fail(new AsynchronousCloseException());
        }
        if (future != null) {
            future.cancel(false);
        }
        var mine = stream;
        if (mine != null) {
            mine.close();
        }
        var known = jdk;
        try {
            if (known != null) {
                known.close();
            }
        } finally {
            group.leave(this);
        }
    }

    private void closeNow() {
        try {
            close();
        } catch (IOException e) {
            throw new UncheckedIOException("a channel that has failed", e);
        }
    }

    @Override
    public String toString() {
        var mine = stream;
        return "AsynchronousSocketChannel["
                + (isOpen() ? mine == null ? "native or unconnected" : mine.link() : "closed")
                + "]";
    }
}
