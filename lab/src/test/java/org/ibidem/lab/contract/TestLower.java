package org.ibidem.lab.contract;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.ibidem.buffer.BufferPool;
import org.ibidem.connect.routed.Trunk;
import org.ibidem.connect.routed.Trunk.Ends;
import org.ibidem.link.Lower;
import org.ibidem.link.Tasks;
import org.ibidem.link.Terms;
import org.ibidem.topology.NodeId;

/// What lies below one of two ends that meet in one JVM: an own loopback connection to the other,
/// or a stream over it.
record TestLower(
        boolean active, String key, SocketChannel socket, Tasks tasks, BlockingQueue<Trunk> trunks)
        implements Lower, AutoCloseable {
    private static final NodeId ACTIVE = new NodeId(1, 1);
    private static final NodeId PASSIVE = new NodeId(2, 2);
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private TestLower(boolean active, String key, SocketChannel socket) {
        this(active, key, socket, new Threads(), new LinkedBlockingQueue<>());
    }

    /// Both ends of one link.
    static TestLower[] pair() throws IOException {
        var random = new byte[16];
        ThreadLocalRandom.current().nextBytes(random);
        var key = HexFormat.of().formatHex(random);
        try (var server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            var one = SocketChannel.open(server.getLocalAddress());
            var other = server.accept();
            one.configureBlocking(false);
            other.configureBlocking(false);
            return new TestLower[] {
                new TestLower(true, key, one), new TestLower(false, key, other)
            };
        }
    }

    /// As between two nodes, whose trunks carry many.
    @Override
    public SocketChannel shared() throws IOException {
        socket.configureBlocking(true);
        var arrived = new LinkedBlockingQueue<SocketChannel>();
        var ends = new Ends(active ? ACTIVE : PASSIVE, active ? PASSIVE : ACTIVE, active);
        var trunk = new Trunk(socket, ends, tasks, arrived::add);
        trunks.add(trunk);
        tasks.start("shared connection", trunk::run);
        try {
            var stream =
                    active
                            ? trunk.open(PASSIVE, LIMIT)
                            : arrived.poll(LIMIT.toSeconds(), TimeUnit.SECONDS);
            if (stream == null) {
                throw new IOException("no stream has come");
            }
            stream.configureBlocking(false);
            return stream;
        } catch (InterruptedException e) {
            throw new IOException("interrupted", e);
        }
    }

    @Override
    public void close() {
        trunks.forEach(Trunk::close);
    }

    @Override
    public Terms terms() {
        return Terms.of(new BufferPool());
    }

    private record Threads() implements Tasks {
        @Override
        public Task start(String name, Runnable body) {
            return Thread.ofVirtual().name(name).start(body)::interrupt;
        }

        @Override
        public Task after(Duration delay, String name, Runnable body) {
            return start(
                    name,
                    () -> {
                        try {
                            Thread.sleep(delay);
                        } catch (InterruptedException _) {
                            return;
                        }
                        body.run();
                    });
        }

        @Override
        public long nanoTime() {
            return System.nanoTime();
        }
    }
}
