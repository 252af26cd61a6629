package org.ibidem.personality.nio;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.ibidem.personality.vio.VioSocket;
import org.jspecify.annotations.Nullable;

/// The bytes of a channel, both ways. One thread reads at a time and one writes, as with the JDK's.
abstract class StreamChannel extends SocketChannel {
    private final ReentrantLock reading = new ReentrantLock();
    private final ReentrantLock writing = new ReentrantLock();
    volatile @Nullable SocketChannel jdk;
    volatile @Nullable VioSocket vio;
    private volatile boolean inputOver;
    private volatile boolean outputOver;

    StreamChannel(
            IbidemSelectorProvider owner, @Nullable SocketChannel jdk, @Nullable VioSocket vio) {
        super(owner);
        this.jdk = jdk;
        this.vio = vio;
    }

    /// Those who wait for it have something new.
    abstract void tell();

    final void requireOpen() throws ClosedChannelException {
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
    }

    final SocketChannel jdk() throws ClosedChannelException {
        var mine = jdk;
        if (mine == null) {
            requireOpen();
            throw new NotYetConnectedException();
        }
        return mine;
    }

    final IOException closedBy(IOException e) throws IOException {
        close();
        return e;
    }

    /// An interrupt has closed the JDK's part: this is closed, too.
    private AsynchronousCloseException closed(AsynchronousCloseException e) throws IOException {
        var part = jdk;
        if (part != null && !part.isOpen()) {
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
        Objects.requireNonNull(into);
        reading.lock();
        try {
            var mine = vio;
            if (mine == null) {
                return millis == 0 ? jdk().read(into) : Buffers.read(jdk(), into, millis);
            }
            requireOpen();
            if (inputOver) {
                return -1;
            }
            Buffers.requireRoom(into);
            return isBlocking() ? read(mine, into, millis) : mine.readNow(into);
        } catch (AsynchronousCloseException e) {
            throw closed(e);
        } finally {
            reading.unlock();
        }
    }

    private int read(VioSocket mine, ByteBuffer into, int millis) throws IOException {
        int done;
        begin();
        try {
            done = mine.read(into, millis, nanos -> sleeps(mine, nanos));
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
    private boolean sleeps(VioSocket mine, long nanos) throws IOException {
        end(false);
        try {
            return mine.link().sleepsReadable(nanos);
        } finally {
            begin();
        }
    }

    @Override
    public long read(ByteBuffer[] into, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, into.length);
        reading.lock();
        try {
            var mine = vio;
            if (mine == null) {
                return jdk().read(into, offset, length);
            }
            requireOpen();
            if (inputOver) {
                return -1;
            }
            Buffers.requireRoom(into, offset, length);
            return read(mine, into, offset, offset + length);
        } catch (AsynchronousCloseException e) {
            throw closed(e);
        } finally {
            reading.unlock();
        }
    }

    private long read(VioSocket mine, ByteBuffer[] into, int offset, int end) throws IOException {
        long all = 0;
        for (int i = offset; i < end; i++) {
            while (into[i].hasRemaining()) {
                int done = all == 0 ? read(into[i]) : mine.readNow(into[i]);
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

    private long write(VioSocket mine, ByteBuffer[] from, int offset, int length)
            throws IOException {
        long before = left(from, offset, length);
        try {
            begin();
            mine.write(from, offset, length);
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
            var mine = vio;
            if (mine == null) {
                return jdk().write(from, offset, length);
            }
            requireOutput();
            return isBlocking()
                    ? write(mine, from, offset, length)
                    : mine.writeNow(from, offset, length);
        } catch (AsynchronousCloseException e) {
            throw closed(e);
        } finally {
            writing.unlock();
        }
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
            tell();
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

    final boolean isInputOver() {
        return inputOver;
    }

    final boolean isOutputOver() {
        return outputOver;
    }

    /// What can be read without waiting.
    final int available() throws IOException {
        var mine = vio;
        requireOpen();
        return mine == null ? jdk().socket().getInputStream().available() : mine.available();
    }
}
