package org.ibidem.personality.nio;

import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.SocketTimeoutException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.ibidem.personality.sockets.Rules.Entry;
import org.ibidem.personality.vio.VioSocket;
import org.ibidem.vlink.VLinkFailed;
import org.ibidem.vlink.VLinkListener;
import org.jspecify.annotations.Nullable;

/// A channel that listens by the JDK, and by VLink at once where the rules do not say otherwise.
final class MixedServerChannel extends ServerSocketChannel implements Mixed {
    private static final int USUAL_BACKLOG = 50;

    private final IbidemSelectorProvider owner;
    private final ServerSocketChannel jdk;
    private final Keys keys = new Keys();
    private final ReentrantLock accepting = new ReentrantLock();
    private final ServerSocket socket;
    private volatile @Nullable VLinkListener listener;
    private volatile @Nullable Selector waits;
    private boolean byVLinkOnly;

    MixedServerChannel(IbidemSelectorProvider owner, ServerSocketChannel jdk) throws IOException {
        super(owner);
        this.owner = owner;
        this.jdk = jdk;
        this.socket = new ChannelServerSocket(this, jdk.socket());
    }

    @Override
    public ServerSocketChannel bind(@Nullable SocketAddress to, int backlog) throws IOException {
        jdk.bind(to, backlog);
        if (!(jdk.getLocalAddress() instanceof InetSocketAddress at)) {
            return this; // a family that has no ports
        }
        var entry = owner.sockets().rules().entry(at.getPort());
        if (entry != Entry.NATIVE) {
            listen(at, backlog, entry == Entry.VLINK);
        }
        return this;
    }

    private void listen(InetSocketAddress at, int backlog, boolean only) throws IOException {
        try {
            listener = owner.sockets().listen(at.getPort(), backlog < 1 ? USUAL_BACKLOG : backlog);
        } catch (BindException e) {
            jdk.close();
            throw e;
        }
        byVLinkOnly = only;
        jdk.configureBlocking(false); // it is never what is waited at
        keys.tell();
    }

    @Override
    public @Nullable SocketChannel accept() throws IOException {
        return accept(0);
    }

    /// @param millis how long it may wait, where it waits; 0: for ever
    @Nullable SocketChannel accept(int millis) throws IOException {
        accepting.lock(); // they would take each other's waking from the selector
        try {
            if (!isOpen()) {
                throw new ClosedChannelException();
            }
            var mine = listener;
            if (mine == null) {
                return acceptByJdk(millis);
            }
            return isBlocking() ? waiting(mine, millis) : now(mine);
        } finally {
            accepting.unlock();
        }
    }

    private SocketChannel waiting(VLinkListener mine, int millis) throws IOException {
        SocketChannel next = null;
        boolean done = false;
        try {
            begin();
            next = await(mine, millis);
            done = true;
        } finally {
            end(done);
        }
        if (next == null) {
            close();
            throw new ClosedByInterruptException();
        }
        return next;
    }

    private @Nullable SocketChannel acceptByJdk(int millis) throws IOException {
        if (jdk.getLocalAddress() == null) {
            throw new NotYetBoundException();
        }
        try {
            if (millis > 0) {
                var adaptor = jdk.socket();
                adaptor.setSoTimeout(millis);
                return new MixedSocketChannel(owner, adaptor.accept().getChannel());
            }
            var next = jdk.accept();
            return next == null ? null : new MixedSocketChannel(owner, next);
        } catch (AsynchronousCloseException e) {
            close();
            throw e;
        }
    }

    private @Nullable SocketChannel now(VLinkListener mine) throws IOException {
        try {
            var link = mine.accept();
            if (link != null) {
                return new MixedSocketChannel(
                        owner,
                        new VioSocket(link),
                        (InetSocketAddress) Objects.requireNonNull(jdk.getLocalAddress()));
            }
        } catch (VLinkFailed e) {
            throw closed(e);
        }
        while (true) {
            var next = jdk.accept();
            if (next == null || !byVLinkOnly) {
                return next == null ? null : new MixedSocketChannel(owner, next);
            }
            next.close(); // nobody is to come this way
        }
    }

    private static ClosedChannelException closed(VLinkFailed e) {
        var closed = new ClosedChannelException();
        closed.initCause(e);
        return closed;
    }

    /// @return null: it was interrupted, which wakes the selector and does not close the channel
    private @Nullable SocketChannel await(VLinkListener mine, int millis) throws IOException {
        var selector = waits();
        Runnable bell = selector::wakeup;
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        try {
            while (true) {
                mine.whenAcceptable(bell);
                var next = now(mine);
                if (next != null) {
                    return next;
                }
                long left = millis == 0 ? 0 : millisTo(end);
                if (left < 0) {
                    throw new SocketTimeoutException("Accept timed out");
                }
                selector.select(_ -> {}, left);
                if (Thread.currentThread().isInterrupted()) {
                    return null;
                }
                if (!isOpen()) {
                    throw new ClosedChannelException();
                }
            }
        } finally {
            mine.unwatch(bell);
        }
    }

    /// @return negative: it is over
    private static long millisTo(long end) {
        long left = end - System.nanoTime();
        return left <= 0 ? -1 : Math.max(1, TimeUnit.NANOSECONDS.toMillis(left));
    }

    private synchronized Selector waits() throws IOException {
        var mine = waits;
        if (mine == null) {
            mine = owner.jdk().openSelector();
            jdk.register(mine, SelectionKey.OP_ACCEPT);
            waits = mine;
        }
        return mine;
    }

    @Override
    public ServerSocket socket() {
        return socket;
    }

    @Override
    public @Nullable SocketAddress getLocalAddress() throws IOException {
        return jdk.getLocalAddress();
    }

    @Override
    public <T> ServerSocketChannel setOption(SocketOption<T> name, T value) throws IOException {
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
    protected void implCloseSelectableChannel() throws IOException {
        jdk.close();
        var mine = listener;
        if (mine != null) {
            mine.close();
        }
        var sleeps = waits;
        if (sleeps != null) {
            sleeps.close();
        }
        keys.tell();
    }

    @Override
    protected void implConfigureBlocking(boolean block) throws IOException {
        if (listener == null) {
            keys.leave();
            jdk.configureBlocking(block);
        }
    }

    @Override
    public SelectableChannel part() {
        return jdk;
    }

    @Override
    public int ready(int operations) {
        var mine = listener;
        boolean some = mine != null && mine.isAcceptable() && isOpen();
        return some ? operations & SelectionKey.OP_ACCEPT : 0;
    }

    @Override
    public void watch(int operations, Runnable bell) {
        var mine = listener;
        if (mine != null && operations != 0) {
            mine.whenAcceptable(bell);
        }
    }

    @Override
    public void unwatch(Runnable bell) {
        var mine = listener;
        if (mine != null) {
            mine.unwatch(bell);
        }
    }

    @Override
    public void known(MixedKey key, boolean yes) {
        keys.known(key, yes);
    }

    @Override
    public String toString() {
        return "ServerSocketChannel[" + jdk + (listener == null ? "]" : " and " + listener + "]");
    }
}
