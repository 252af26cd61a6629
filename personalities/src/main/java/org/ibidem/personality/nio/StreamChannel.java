package org.ibidem.personality.nio;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
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
        int done = 0;
        try {
            begin();
            done = mine.readAsChannel(into, millis);
        } finally {
            end(done != 0 || !into.hasRemaining());
        }
        return done;
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
        Objects.requireNonNull(from);
        writing.lock();
        try {
            var mine = vio;
            if (mine == null) {
                return jdk().write(from);
            }
            requireOutput();
            return isBlocking() ? write(mine, from) : mine.writeNow(from);
        } catch (AsynchronousCloseException e) {
            throw closed(e);
        } finally {
            writing.unlock();
        }
    }

    private void requireOutput() throws ClosedChannelException {
        requireOpen();
        if (outputOver) {
            throw new AsynchronousCloseException();
        }
    }

    private int write(VioSocket mine, ByteBuffer from) throws IOException {
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
        writing.lock(); // what another thread writes does not get between
        try {
            if (vio == null) {
                return jdk().write(from, offset, length);
            }
            requireOutput();
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
