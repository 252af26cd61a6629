package org.ibidem.lab.contract;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import org.ibidem.buffer.BufferPool;
import org.ibidem.link.Lower;
import org.ibidem.link.Tasks;
import org.ibidem.link.Terms;

/// What lies below one of two ends that meet in one JVM: an own loopback connection to the other.
record TestLower(boolean active, String key, SocketChannel socket, Tasks tasks) implements Lower {
    /// Both ends of one link.
    static TestLower[] pair() throws IOException {
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
                new TestLower(true, key, one, tasks), new TestLower(false, key, other, tasks)
            };
        }
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
