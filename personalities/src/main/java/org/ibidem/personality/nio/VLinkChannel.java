package org.ibidem.personality.nio;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.ibidem.personality.sockets.Kept;
import org.ibidem.personality.vio.VioSocket;
import org.ibidem.vlink.VLink;

/// A VLink as a connected channel, for the channel in front of it. One thread reads at a time and
/// one writes, as with the JDK's.
final class VLinkChannel extends SocketChannel {
    private final SocketChannel front;
    private final VioSocket vio;
    private final Kept options;
    private final Ends ends;
    private final ReentrantLock reading = new ReentrantLock();
    private final ReentrantLock writing = new ReentrantLock();
    private volatile boolean inputOver;
    private volatile boolean outputOver;

    /// Where a connection begins, and where it leads.
    record Ends(InetSocketAddress local, InetSocketAddress remote) {}

    /// @param options those of the channel in front, which sets them
    VLinkChannel(SocketChannel front, VioSocket vio, Kept options, Ends ends) {
        super(front.provider());
        this.front = front;
        this.vio = vio;
        this.options = options;
        this.ends = ends;
    }

    VLink link() {
        return vio.link();
    }

    /// Closed or not.
    Ends ends() {
        return ends;
    }

    private void requireOpen() throws ClosedChannelException {
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        return read(into, 0);
    }

    /// @param millis how long it may wait, where it waits; 0: for ever
    int read(ByteBuffer into, int millis) throws IOException {
        Objects.requireNonNull(into);
        reading.lock();
        try {
            requireOpen();
            if (inputOver) {
                return -1;
            }
            requireRoom(into);
            return front.isBlocking() ? waiting(into, millis) : vio.readNow(into);
        } finally {
            reading.unlock();
        }
    }

    private static void requireRoom(ByteBuffer into) {
        if (into.isReadOnly()) {
            throw new IllegalArgumentException("Read-only buffer");
        }
    }

    private int waiting(ByteBuffer into, int millis) throws IOException {
        int done;
        begin();
        try {
            done = vio.read(into, millis, this::sleeps);
        } catch (ClosedByInterruptException e) {
            throw e; // by the end before a sleep
        } catch (IOException | RuntimeException | Error e) {
            end(false); // says so where the channel was closed meanwhile
            throw e;
        }
        end(done != 0 || !into.hasRemaining());
        return done;
    }

    /// In a selector, whose own `begin` and `end` would take from this channel that an interrupt
    /// closes it: it ends and begins around them, and begins as one that was interrupted.
    private boolean sleeps(long nanos) throws IOException {
        end(false);
        try {
            return link().sleepsReadable(nanos);
        } finally {
            begin();
        }
    }

    @Override
    public long read(ByteBuffer[] into, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, into.length);
        reading.lock();
        try {
            requireOpen();
            if (inputOver) {
                return -1;
            }
            for (int i = offset; i < offset + length; i++) {
                requireRoom(into[i]);
            }
            return scatter(into, offset, offset + length);
        } finally {
            reading.unlock();
        }
    }

    private long scatter(ByteBuffer[] into, int offset, int end) throws IOException {
        long all = 0;
        for (int i = offset; i < end; i++) {
            while (into[i].hasRemaining()) {
                int done = all == 0 ? read(into[i]) : vio.readNow(into[i]);
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
        return (int) write(new ByteBuffer[] {Objects.requireNonNull(from)}, 0, 1);
    }

    private void requireOutput() throws ClosedChannelException {
        requireOpen();
        if (outputOver) {
            throw new AsynchronousCloseException();
        }
    }

    private static long left(ByteBuffer[] all, int offset, int length) {
        long left = 0;
        for (int i = offset; i < offset + length; i++) {
            left += all[i].remaining();
        }
        return left;
    }

    private long waiting(ByteBuffer[] from, int offset, int length) throws IOException {
        long before = left(from, offset, length);
        try {
            begin();
            vio.write(from, offset, length);
        } finally {
            end(left(from, offset, length) == 0);
        }
        return before;
    }

    @Override
    public long write(ByteBuffer[] from, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, from.length);
        writing.lock(); // what another thread writes does not get between
        try {
            requireOutput();
            return front.isBlocking()
                    ? waiting(from, offset, length)
                    : vio.writeNow(from, offset, length);
        } finally {
            writing.unlock();
        }
    }

    @Override
    public SocketChannel shutdownInput() throws IOException {
        requireOpen();
        inputOver = true;
        vio.shutdownInput();
        return this;
    }

    @Override
    public SocketChannel shutdownOutput() throws IOException {
        requireOpen();
        outputOver = true;
        vio.shutdownOutput();
        return this;
    }

    boolean isInputOver() {
        return inputOver;
    }

    boolean isOutputOver() {
        return outputOver;
    }

    /// As [Mixed#ready].
    int ready(int operations) {
        boolean reads = (operations & SelectionKey.OP_READ) != 0;
        boolean writes = (operations & SelectionKey.OP_WRITE) != 0;
        int now = reads && (inputOver || link().isReadable()) ? SelectionKey.OP_READ : 0;
        return writes && link().isWritable() ? now | SelectionKey.OP_WRITE : now;
    }

    /// As [Mixed#watch].
    void watch(int operations, Runnable bell) {
        if ((operations & SelectionKey.OP_READ) != 0) {
            link().whenReadable(bell);
        }
        if ((operations & SelectionKey.OP_WRITE) != 0) {
            link().whenWritable(bell);
        }
    }

    @Override
    public SocketChannel bind(SocketAddress to) {
        throw new AlreadyBoundException();
    }

    @Override
    public boolean connect(SocketAddress to) {
        throw new AlreadyConnectedException();
    }

    @Override
    public boolean finishConnect() {
        return true;
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
    public Socket socket() {
        return front.socket();
    }

    @Override
    public SocketAddress getRemoteAddress() {
        return ends.remote();
    }

    @Override
    public SocketAddress getLocalAddress() {
        return ends.local();
    }

    @Override
    public <T> SocketChannel setOption(SocketOption<T> name, T value) throws IOException {
        options.set(name, value);
        return this;
    }

    @Override
    public <T> T getOption(SocketOption<T> name) {
        return options.get(name);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return front.supportedOptions();
    }

    @Override
    protected void implCloseSelectableChannel() {
        if (options.get(StandardSocketOptions.SO_LINGER) == 0) {
            vio.abort("it was closed with a linger of 0");
        } else {
            vio.close();
        }
    }

    @Override
    protected void implConfigureBlocking(boolean block) {
        // the mode is that of the channel in front
    }
}
