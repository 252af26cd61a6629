package org.ibidem.personality.nio;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.ibidem.Background;
import org.ibidem.personality.TwoNodes;
import org.ibidem.personality.sockets.Rules;
import org.ibidem.personality.sockets.Sockets;
import org.ibidem.registry.Node;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Thousands of channels that are registered with one selector and on which nothing goes.
@Tag("full")
@Timeout(900)
@Isolated("looks at the heap and at processor time")
class IdleChannelsTest {
    private static final int WATCHED_SECONDS = 30;
    private static final double MOST_BUSY = 0.01;

    /// Those of its VLink are 28 000 (`IdleVLinksTest`), and a channel of ours may add 8 KiB.
    private static final long MOST_BYTES = 36 << 10;

    private static SelectorProvider provider(Node node, String stack) {
        var sockets = new Sockets(() -> node, Rules.parse("*.near -> rank * over " + stack));
        return new IbidemSelectorProvider(() -> sockets);
    }

    @ParameterizedTest
    @CsvSource({"shm, 1000", "multiplex > tcp, 10000", "multiplex > shm, 10000"}) // the few first
    void idle_ones_take_little_memory_and_no_time(String stack, int count) throws Exception {
        try (var nodes = TwoNodes.join("idle")) {
            idle(provider(nodes.one(), stack), provider(nodes.two(), stack), stack, count);
        }
    }

    private static void idle(SelectorProvider from, SelectorProvider to, String stack, int count)
            throws Exception {
        var over = new AtomicBoolean();
        try (var selector = to.openSelector();
                var listener = to.openServerSocketChannel()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
            int port = ((InetSocketAddress) listener.getLocalAddress()).getPort();
            long before = heap();
            var clients = new ArrayList<SocketChannel>();
            for (int i = 0; i < count; i++) {
                var client = from.openSocketChannel();
                client.connect(InetSocketAddress.createUnresolved("1.near", port));
                clients.add(client);
                var server = listener.accept();
                server.configureBlocking(false);
                server.register(selector, SelectionKey.OP_READ);
            }
            var echoed = new AtomicInteger();
            var echo = Background.run(() -> echo(selector, echoed, over));
            exchange(clients, 2_000);
            long each = (heap() - before) / count;
            double busy = busy();
            System.out.printf(
                    "%d idle channels over %s: %d bytes of heap each (both ends), %.1f %% of a"
                            + " core%n",
                    count, stack, each, busy * 100);
            assertThat(busy).as("share of a core").isLessThan(MOST_BUSY);
            assertThat(each).as("bytes of heap").isBetween(1L, MOST_BYTES);
            exchange(clients, 2_000);
            assertThat(echoed).as("selections that found nothing").hasValueLessThan(10_000);
            over.set(true);
            selector.wakeup();
            echo.join();
        }
    }

    /// @param selections counts them
    private static void echo(Selector selector, AtomicInteger selections, AtomicBoolean over)
            throws IOException {
        while (!over.get()) {
            selector.select();
            selections.incrementAndGet();
            for (var key : selector.selectedKeys()) {
                var bytes = ByteBuffer.allocate(100);
                var channel = (SocketChannel) key.channel();
                channel.read(bytes);
                channel.write(bytes.flip());
            }
            selector.selectedKeys().clear();
        }
    }

    /// With one after the other, at random: those that the selector knew last and first.
    private static void exchange(List<SocketChannel> clients, int count) throws IOException {
        var random = new Random(count);
        for (int i = 0; i < count; i++) {
            var client = clients.get(random.nextInt(clients.size()));
            client.write(ByteBuffer.wrap(new byte[8]));
            var back = ByteBuffer.allocate(8);
            while (back.hasRemaining()) {
                assertThat(client.read(back)).isPositive();
            }
        }
    }

    private static long heap() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    /// What this process takes of one core while nothing happens.
    private static double busy() throws InterruptedException {
        long before = processorNanos();
        var never = new CountDownLatch(1);
        assertThat(never.await(WATCHED_SECONDS, TimeUnit.SECONDS)).isFalse();
        return (processorNanos() - before) / (WATCHED_SECONDS * 1e9);
    }

    private static long processorNanos() {
        return ((com.sun.management.OperatingSystemMXBean)
                        ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }
}
