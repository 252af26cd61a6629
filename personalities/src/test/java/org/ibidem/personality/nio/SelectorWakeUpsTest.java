package org.ibidem.personality.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.ibidem.Background;
import org.ibidem.personality.TwoNodes;
import org.ibidem.personality.sockets.Rules;
import org.ibidem.personality.sockets.Sockets;
import org.ibidem.registry.Node;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// How many wake-ups an exchange costs, which is a small message and its answer between two
/// programs that wait in selectors: two, one for each program. Counted are the returns of `select`
/// and, by the system, how often a thread has slept: those of the two programs and, as the loops of
/// the nodes are to sleep on, all those of the nodes.
@Isolated("all threads of nodes in this JVM are counted")
@Timeout(120)
class SelectorWakeUpsTest {
    private static final int EXCHANGES = 2_000;

    /// Until then links are made, and threads are named.
    private static final int FIRST = 200;

    private static final int LONG = 60_000;
    private static final Path THREADS = Path.of("/proc/self/task");
    private static final Path THIS_THREAD = Path.of("/proc/thread-self");
    private static TwoNodes nodes;

    @BeforeAll
    static void join() {
        nodes = TwoNodes.join("wake-ups");
    }

    @AfterAll
    static void leave() {
        nodes.close();
    }

    /// What was seen of one program, or of both.
    private record Seen(long returns, long sleeps) {
        Seen and(Seen other) {
            return new Seen(returns + other.returns, sleeps + other.sleeps);
        }
    }

    /// A program with one channel, which waits in a selector.
    private static final class Program implements AutoCloseable {
        private final SocketChannel channel;
        private final Selector selector;
        private final ByteBuffer message = ByteBuffer.allocate(8);
        private long returns;

        Program(SocketChannel channel) throws IOException {
            this.channel = channel;
            channel.configureBlocking(false);
            selector = channel.provider().openSelector();
            channel.register(selector, SelectionKey.OP_READ);
        }

        private void write() throws IOException {
            channel.write(message.clear());
        }

        private void read() throws IOException {
            message.clear();
            while (message.hasRemaining()) {
                selector.select(LONG);
                returns++;
                selector.selectedKeys().clear();
                channel.read(message);
            }
        }

        private Seen ask(int times) throws IOException {
            returns = 0;
            long before = sleeps(THIS_THREAD);
            for (int i = 0; i < times; i++) {
                write();
                read();
            }
            return new Seen(returns, sleeps(THIS_THREAD) - before);
        }

        private Seen answer(int times) throws IOException {
            returns = 0;
            long before = sleeps(THIS_THREAD);
            for (int i = 0; i < times; i++) {
                read();
                write();
            }
            return new Seen(returns, sleeps(THIS_THREAD) - before);
        }

        @Override
        public void close() throws IOException {
            selector.close();
            channel.close();
        }
    }

    /// How often a thread has given its core back by itself, which is to wait.
    private static long sleeps(Path thread) throws IOException {
        return Files.readAllLines(thread.resolve("status")).stream()
                .filter(line -> line.startsWith("voluntary_ctxt_switches:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .sum();
    }

    private static long sleepsOfNodes() throws IOException {
        try (var threads = Files.list(THREADS)) {
            return threads.mapToLong(SelectorWakeUpsTest::sleepsIfOfNode).sum();
        }
    }

    private static long sleepsIfOfNode(Path thread) {
        try {
            var name = Files.readString(thread.resolve("comm"));
            return name.startsWith("node ") ? sleeps(thread) : 0;
        } catch (IOException _) {
            return 0; // it has ended
        }
    }

    private static IbidemSelectorProvider provider(Node node) {
        var rules = Rules.parse("*.near -> rank * over shm; *.far -> rank * over tcp");
        var sockets = new Sockets(() -> node, rules);
        return new IbidemSelectorProvider(() -> sockets);
    }

    private static Seen exchange(Program client, Program server, int times) throws Exception {
        var answers = Background.call(() -> server.answer(times));
        var asks = Background.call(() -> client.ask(times));
        return asks.get().and(answers.get());
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.near", "1.far"})
    void an_exchange_wakes_each_program_once_and_no_loop(String host) throws Exception {
        assumeTrue(Files.exists(THIS_THREAD), "this system does not say how often a thread slept");
        try (var listener = provider(nodes.two()).openServerSocketChannel();
                var connecting = provider(nodes.one()).openSocketChannel()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            int port = listener.socket().getLocalPort();
            connecting.connect(InetSocketAddress.createUnresolved(host, port));
            try (var client = new Program(connecting);
                    var server = new Program(listener.accept())) {
                exchange(client, server, FIRST);
                long before = sleepsOfNodes();
                var seen = exchange(client, server, EXCHANGES);
                long loops = sleepsOfNodes() - before;
                assertThat(before).as("threads of nodes are found by their names").isPositive();
                assertThat(seen.returns)
                        .as("returns of select")
                        .isBetween(2L * EXCHANGES, 2L * EXCHANGES + EXCHANGES / 100);
                assertThat(seen.sleeps)
                        .as("sleeps of both programs")
                        .isLessThanOrEqualTo(2L * EXCHANGES + EXCHANGES / 10);
                assertThat(loops).as("sleeps of the nodes' threads").isLessThan(EXCHANGES / 50);
            }
        }
    }
}
