package org.ibidem.personality.aio;

import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.AcceptPendingException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.Channel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.CompletionHandler;
import java.nio.channels.NotYetBoundException;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Future;
import org.ibidem.personality.sockets.Rules.Entry;
import org.ibidem.personality.vio.VioSocket;
import org.ibidem.vlink.VLinkFailed;
import org.ibidem.vlink.VLinkListener;
import org.jspecify.annotations.Nullable;

/// A channel that listens by the JDK, and by VLink at once where the rules do not say otherwise. Of
/// the JDK's connections one at most is taken ahead; the others wait in the system's own queue.
final class AioServerChannel extends AsynchronousServerSocketChannel {
    private static final int USUAL_BACKLOG = 50;
    private static final System.Logger LOG = System.getLogger(AioServerChannel.class.getName());

    private final IbidemAsynchronousChannelProvider owner;
    private final AioGroup group;
    private final AsynchronousServerSocketChannel jdk;
    private final Runnable again = this::attempt;
    private final Object lock = new Object();
    private volatile @Nullable VLinkListener listener;
    private boolean byVLinkOnly;
    private @Nullable Operation<AsynchronousSocketChannel> current;

    /// The JDK's is asked.
    private boolean asking;

    private @Nullable AsynchronousSocketChannel taken;
    private boolean killed;
    private boolean closed;

    AioServerChannel(
            IbidemAsynchronousChannelProvider owner,
            AioGroup group,
            AsynchronousServerSocketChannel jdk)
            throws IOException {
        super(owner);
        this.owner = owner;
        this.group = group;
        this.jdk = jdk;
        try {
            group.enter(this);
        } catch (RuntimeException e) {
            jdk.close();
            throw e;
        }
    }

    IbidemAsynchronousChannelProvider owner() {
        return owner;
    }

    AioGroup group() {
        return group;
    }

    /// What VLinks know how to keep.
    Set<SocketOption<?>> supportedByAccepted() {
        return Set.of(
                StandardSocketOptions.TCP_NODELAY,
                StandardSocketOptions.SO_KEEPALIVE,
                StandardSocketOptions.SO_RCVBUF,
                StandardSocketOptions.SO_SNDBUF,
                StandardSocketOptions.SO_REUSEADDR);
    }

    @Override
    public AsynchronousServerSocketChannel bind(@Nullable SocketAddress to, int backlog)
            throws IOException {
        jdk.bind(to, backlog);
        if (jdk.getLocalAddress() instanceof InetSocketAddress at) {
            var entry = owner.sockets().rules().entry(at.getPort());
            if (entry != Entry.NATIVE) {
                listen(at, backlog, entry == Entry.VLINK);
            }
        }
        return this;
    }

    private void listen(InetSocketAddress at, int backlog, boolean only) throws IOException {
        byVLinkOnly = only;
        try {
            listener = owner.sockets().listen(at.getPort(), backlog < 1 ? USUAL_BACKLOG : backlog);
        } catch (BindException e) {
            close();
            throw e;
        }
    }

    @Override
    public Future<AsynchronousSocketChannel> accept() {
        return accept(Operation.future(group));
    }

    @Override
    public <A> void accept(
            A attachment, CompletionHandler<AsynchronousSocketChannel, ? super A> handler) {
        var _ = accept(Operation.telling(group, attachment, handler));
    }

    private Operation<AsynchronousSocketChannel> accept(
            Operation<AsynchronousSocketChannel> operation) {
        if (!isOpen()) {
            operation.fail(new ClosedChannelException());
            return operation;
        }
        requireBound();
        synchronized (lock) {
            if (killed) {
                throw new IllegalStateException("Accept not allowed due to cancellation");
            }
            if (current != null) {
                throw new AcceptPendingException();
            }
            current = operation;
        }
        operation.whenCancelled(hard -> cancelled(operation, hard));
        attempt();
        return operation;
    }

    private void requireBound() {
        try {
            if (jdk.getLocalAddress() == null) {
                throw new NotYetBoundException();
            }
        } catch (IOException _) {
            return; // it is being closed, which whoever accepts is told
        }
    }

    private void cancelled(Operation<AsynchronousSocketChannel> operation, boolean hard) {
        synchronized (lock) {
            if (operation.equals(current)) {
                current = null;
                killed = true; // who has connected may be lost
            }
        }
        if (hard) {
            closeLogged(this);
        }
    }

    /// Looks who is there; if nobody is, it is called again when somebody may be.
    private void attempt() {
        Operation<AsynchronousSocketChannel> operation;
        @Nullable AsynchronousSocketChannel next = null;
        @Nullable IOException failed = null;
        synchronized (lock) {
            operation = current;
            if (operation == null) {
                return;
            }
            try {
                next = closed ? null : next();
            } catch (IOException e) {
                failed = e;
            }
            if (closed) {
                failed = new AsynchronousCloseException();
            }
            current = next == null && failed == null ? operation : null;
        }
        if (failed != null) {
            operation.fail(failed);
        } else if (next != null) {
            operation.succeed(next);
            if (operation.isCancelled()) {
                closeLogged(next);
            }
        } else {
            watch();
        }
    }

    private @Nullable AsynchronousSocketChannel next() throws IOException {
        var ahead = taken;
        try {
            if (ahead != null) {
                taken = null;
                return new AioSocketChannel(owner, group, ahead);
            }
            var mine = listener;
            var link = mine == null ? null : mine.accept();
            return link == null
                    ? null
                    : new AioSocketChannel(
                            this,
                            new VioSocket(link),
                            (InetSocketAddress) Objects.requireNonNull(jdk.getLocalAddress()));
        } catch (VLinkFailed e) {
            var over = new AsynchronousCloseException();
            over.initCause(e);
            throw over;
        } catch (IllegalStateException e) { // its group takes no more channels
            throw new IOException(e);
        }
    }

    private void watch() {
        boolean asks;
        synchronized (lock) {
            asks = !asking && taken == null && !closed;
            asking |= asks;
        }
        if (asks) {
            jdk.accept(null, new Taking());
        }
        var mine = listener;
        if (mine != null) {
            mine.whenAcceptable(again);
        }
    }

    /// What becomes of the one that the JDK is asked for.
    private final class Taking
            implements CompletionHandler<AsynchronousSocketChannel, @Nullable Void> {
        @Override
        public void completed(AsynchronousSocketChannel one, @Nullable Void attachment) {
            boolean kept;
            synchronized (lock) {
                asking = false;
                kept = !closed && !byVLinkOnly;
                taken = kept ? one : null;
            }
            if (!kept) {
                closeLogged(one); // nobody is to come this way
            }
            attempt();
        }

        @Override
        public void failed(Throwable why, @Nullable Void attachment) {
            Operation<AsynchronousSocketChannel> mine;
            synchronized (lock) {
                asking = false;
                mine = current;
                current = null;
            }
            if (mine != null) {
                mine.fail(why);
            }
        }
    }

    private static void closeLogged(Channel one) {
        try {
            one.close();
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "closing " + one + " failed", e);
        }
    }

    @Override
    public boolean isOpen() {
        return jdk.isOpen();
    }

    @Override
    public @Nullable SocketAddress getLocalAddress() throws IOException {
        return jdk.getLocalAddress();
    }

    @Override
    public <T> AsynchronousServerSocketChannel setOption(SocketOption<T> name, T value)
            throws IOException {
        jdk.setOption(name, value);
        return this;
    }

    @Override
    public <T> @Nullable T getOption(SocketOption<T> name) throws IOException {
        return jdk.getOption(name);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return jdk.supportedOptions();
    }

    @Override
    public void close() throws IOException {
        Operation<AsynchronousSocketChannel> waits;
        AsynchronousSocketChannel left;
        synchronized (lock) {
            if (closed) {
                return;
            }
            closed = true;
            waits = current;
            current = null;
            left = taken;
            taken = null;
        }
        if (waits != null) {
            waits.fail(new AsynchronousCloseException());
        }
        var mine = listener;
        if (mine != null) {
            mine.close();
        }
        if (left != null) {
            closeLogged(left);
        }
        try {
            jdk.close();
        } finally {
            group.leave(this);
        }
    }

    @Override
    public String toString() {
        return "AsynchronousServerSocketChannel["
                + jdk
                + (listener == null ? "]" : " and " + listener + "]");
    }
}
