package org.ibidem.lab.badday;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CompletableFuture;
import org.ibidem.personality.vio.VioSocket;
import org.ibidem.vlink.Posted;
import org.ibidem.vlink.VLink;

/// Bytes to a [StreamServer] and back, counted from 0 on: one thread writes while it may, and
/// another takes what comes and looks whether it is what was sent.
final class StreamExchange {
    private static final int PIECE = 50_000;

    /// One way to wait for a stream.
    interface Way {
        /// Reads a byte at least.
        int read(ByteBuffer into) throws Exception;

        /// Writes all.
        void write(ByteBuffer from) throws Exception;
    }

    /// A thread sleeps on it.
    record Sleeping(VioSocket socket) implements Way {
        @Override
        public int read(ByteBuffer into) throws IOException {
            return socket.read(into, 0);
        }

        @Override
        public void write(ByteBuffer from) throws IOException {
            socket.write(from);
        }
    }

    /// A selector does, and another one for room.
    record Selecting(SocketChannel channel) implements Way {
        @Override
        public int read(ByteBuffer into) throws IOException {
            try (var selector = channel.provider().openSelector()) {
                channel.register(selector, SelectionKey.OP_READ);
                while (true) {
                    int done = channel.read(into);
                    if (done != 0) {
                        return done;
                    }
                    selector.select();
                    selector.selectedKeys().clear();
                }
            }
        }

        @Override
        public void write(ByteBuffer from) throws IOException {
            try (var selector = channel.provider().openSelector()) {
                channel.register(selector, SelectionKey.OP_WRITE);
                while (from.hasRemaining()) {
                    if (channel.write(from) == 0) {
                        selector.select();
                        selector.selectedKeys().clear();
                    }
                }
            }
        }
    }

    /// The loop of its node tells.
    record Posting(VLink link) implements Way {
        @Override
        public int read(ByteBuffer into) throws Exception {
            return done(link.postRead(into));
        }

        @Override
        public void write(ByteBuffer from) throws Exception {
            while (from.hasRemaining()) {
                done(link.postWrite(from));
            }
        }

        private static int done(Posted<Integer> posted) throws Exception {
            var done = new CompletableFuture<Posted<Integer>>();
            posted.whenDone(done::complete);
            return done.get().result();
        }
    }

    final SleepingThread reader;
    private final String name;
    private final Way way;
    private final int window;
    private final SleepingThread writer;
    private boolean open;
    private long written;
    private long read;

    /// @param window how many bytes are under way at most
    StreamExchange(String name, Way way, int window) {
        this.name = name;
        this.way = way;
        this.window = window;
        this.reader = new SleepingThread(name + ", reader", this::readAll);
        this.writer = new SleepingThread(name + ", writer", this::writeAll);
    }

    /// Whether more is written from now on.
    synchronized void open(boolean yes) {
        open = yes;
        notifyAll();
    }

    synchronized long count() {
        if (reader.isOver() || writer.isOver()) {
            throw new AssertionError("it has ended: " + this);
        }
        return read;
    }

    synchronized boolean isQuiet() {
        return count() == written;
    }

    private Object writeAll() throws Exception {
        var data = ByteBuffer.allocate(PIECE);
        while (true) {
            fill(data.clear());
            way.write(data.flip());
        }
    }

    private synchronized void fill(ByteBuffer data) throws InterruptedException {
        while (!open || written - read >= window) {
            wait();
        }
        while (data.hasRemaining() && written - read < window) {
            data.put((byte) written++);
        }
    }

    private Object readAll() throws Exception {
        var data = ByteBuffer.allocate(PIECE);
        while (way.read(data.clear()) >= 0) {
            take(data.flip());
        }
        throw new IOException("it has ended");
    }

    private synchronized void take(ByteBuffer data) throws IOException {
        while (data.hasRemaining()) {
            byte next = data.get();
            if (next != (byte) read++) {
                throw new IOException("byte " + (read - 1) + " is " + next);
            }
        }
        notifyAll();
    }

    @Override
    public synchronized String toString() {
        return "%s: %d of %d bytes are back; reads: %s, writes: %s"
                .formatted(name, read, written, reader.said(), writer.said());
    }
}
