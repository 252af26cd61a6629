package org.ibidem.filter.parallel;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.ibidem.connect.SocketPath;
import org.ibidem.link.Lower;
import org.ibidem.link.PathOver;
import org.ibidem.link.StreamPath;
import org.ibidem.task.Tasks;
import org.ibidem.task.VirtualTasks;

/// Two ends that meet again and again, over connections that a test counts and breaks.
final class Lines implements AutoCloseable {
    /// All that were made, in order.
    final List<Line> made = new CopyOnWriteArrayList<>();

    private final CompletableFuture<Consumer<StreamPath>> takes = new CompletableFuture<>();
    private final Line first;
    volatile boolean closed;

    Lines() throws IOException {
        first = connection();
    }

    /// One connection.
    record Line(End one, End other) {
        /// From now on nothing comes through, and neither end notices.
        void swallow() {
            one.swallows = true;
            other.swallows = true;
        }

        /// What comes is heard again.
        void speak() {
            one.swallows = false;
            other.swallows = false;
        }
    }

    /// Bytes that were written at any end.
    long written() {
        long all = 0;
        for (var line : made) {
            all += line.one.written.get() + line.other.written.get();
        }
        return all;
    }

    private Line connection() throws IOException {
        try (var server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            var one = SocketChannel.open(server.getLocalAddress());
            var other = server.accept();
            one.configureBlocking(false);
            other.configureBlocking(false);
            var line = new Line(new End(new SocketPath(one)), new End(new SocketPath(other)));
            made.add(line);
            return line;
        }
    }

    /// What lies below one of the two.
    Lower lower(boolean active) {
        return new Below(active);
    }

    @Override
    public void close() {
        closed = true;
        for (var line : made) {
            line.one.close();
            line.other.close();
        }
    }

    private final class Below extends Meeting {
        Below(boolean active) {
            super(active, active ? first.one : first.other, takes);
        }

        @Override
        StreamPath[] connected() throws IOException {
            if (closed) {
                throw new IOException("the test is over");
            }
            var line = connection();
            return new StreamPath[] {line.one, line.other};
        }

        @Override
        public Tasks tasks() {
            return new VirtualTasks();
        }
    }

    /// One end of a line.
    static final class End extends PathOver {
        final AtomicLong written = new AtomicLong();
        volatile boolean swallows;

        End(SocketPath below) {
            super(below);
        }

        @Override
        public int read(ByteBuffer into) throws IOException {
            return swallows ? 0 : below.read(into);
        }

        @Override
        public int write(ByteBuffer from) throws IOException {
            int taken = swallows ? from.remaining() : below.write(from);
            if (swallows) {
                from.position(from.limit());
            }
            written.addAndGet(taken);
            return taken;
        }

        @Override
        public void reset() {
            if (swallows) {
                return; // nor is that heard
            }
            below.reset();
        }
    }
}
