package org.ibidem.link;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import org.ibidem.buffer.BufferPool;
import org.ibidem.connect.SocketPath;

/// One of two ends that meet in one JVM, over a loopback connection made beforehand.
public record TestLower(boolean active, String key, StreamPath stream, Tasks tasks)
        implements Lower {
    /// One end, over this socket.
    public TestLower(boolean active, String key, SocketChannel socket, Tasks tasks) {
        this(active, key, new SocketPath(socket), tasks);
    }

    /// The connection's socket.
    public SocketChannel socket() {
        return ((SocketPath) stream).socket();
    }

    /// Two ends of one link.
    public static TestLower[] pair() throws IOException {
        var random = new byte[16];
        ThreadLocalRandom.current().nextBytes(random);
        var key = HexFormat.of().formatHex(random);
        var tasks = new Threads();
        try (var server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            var one = SocketChannel.open(server.getLocalAddress());
            var other = server.accept();
            one.configureBlocking(false);
            other.configureBlocking(false);
            return new TestLower[] {
                new TestLower(true, key, new SocketPath(one), tasks),
                new TestLower(false, key, new SocketPath(other), tasks)
            };
        }
    }

    @Override
    public DatagramPath datagrams() throws IOException {
        throw new IOException("there are none here");
    }

    @Override
    public Terms terms() {
        return Terms.of(new BufferPool());
    }

    private record Threads() implements Tasks {
        @Override
        public Task start(String name, Runnable body) {
            var thread = Thread.ofVirtual().name(name).start(body);
            return thread::interrupt;
        }

        @Override
        public Task after(Duration delay, String name, Runnable body) {
            return start(
                    name,
                    () -> {
                        try {
                            Thread.sleep(delay);
                            body.run();
                        } catch (InterruptedException _) {
                            // stopped
                        }
                    });
        }

        @Override
        public long nanoTime() {
            return System.nanoTime();
        }
    }
}
