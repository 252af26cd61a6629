package org.ibidem.wrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.eventually;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32C;
import org.ibidem.hub.Hub;
import org.ibidem.personality.vio.VioSocket;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.ibidem.vlink.VLinks;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Two bridges with a VLink between them, and a socket at each end.
@Timeout(120)
class BridgeTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int MOST = 200_000;
    private static final int TOTAL = 8 << 20;

    private static Hub hub;
    private static Node one;
    private static Node two;

    private final AtomicInteger ended = new AtomicInteger();

    @BeforeAll
    static void join() throws Exception {
        hub = Hub.start(Hub.Options.DEFAULT.port(0));
        var join = Join.pool("bridge").hub("localhost:" + hub.port());
        one = Node.join(join);
        two = Node.join(join);
    }

    @AfterAll
    static void leave() throws IOException {
        one.close();
        two.close();
        hub.close();
    }

    /// The sockets at both ends.
    private record Ends(SocketChannel left, SocketChannel right) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            left.close();
            right.close();
        }
    }

    private Ends bridged(String stack) throws Exception {
        var here = VLinks.of(one);
        try (var listener = VLinks.of(two).listen("bridge", stack, 1)) {
            var accepting = new CompletableFuture<org.ibidem.vlink.VLink>();
            listener.postAccept().whenDone(done -> accepting.complete(done.result()));
            var posted = here.connect(two.id(), "bridge", stack, "", LIMIT);
            var link = VioSocket.connected(posted, (int) LIMIT.toMillis()).link();
            var left = pair();
            var right = pair();
            Bridge.start(here, left[1], link, ended::incrementAndGet);
            Bridge.start(VLinks.of(two), right[1], accepting.get(), ended::incrementAndGet);
            return new Ends(left[0], right[0]);
        }
    }

    private static SocketChannel[] pair() throws IOException {
        try (var server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            var client = SocketChannel.open(server.getLocalAddress());
            var accepted = server.accept();
            while (!accepted.getRemoteAddress().equals(client.getLocalAddress())) {
                accepted.close(); // a stranger that meant who had the port before
                accepted = server.accept();
            }
            return new SocketChannel[] {client, accepted};
        }
    }

    /// Both directions at once, in pieces of any size, and readers that are slow by turns: what
    /// does not fit waits at its sender, and all of it arrives in order.
    @ParameterizedTest
    @ValueSource(
            strings = {"tcp", "shm", "tls > tcp", "parallel(streams=2) > tcp", "compress > tcp"})
    void all_that_is_written_arrives_and_then_the_end(String stack) throws Exception {
        long seed = new Random().nextLong();
        try (var ends = bridged(stack)) {
            var there = CompletableFuture.supplyAsync(() -> write(ends.left, seed));
            var back = CompletableFuture.supplyAsync(() -> write(ends.right, seed + 1));
            var arrived = CompletableFuture.supplyAsync(() -> read(ends.right, seed + 2));
            var came = CompletableFuture.supplyAsync(() -> read(ends.left, seed + 3));
            var what = "seed " + seed;
            assertThat(arrived.get(100, TimeUnit.SECONDS)).as(what).isEqualTo(there.get());
            assertThat(came.get(100, TimeUnit.SECONDS)).as(what).isEqualTo(back.get());
            eventually("both bridges have ended", () -> ended.get() == 2);
        }
    }

    private static long write(SocketChannel socket, long seed) {
        var random = new Random(seed);
        var sum = new CRC32C();
        try {
            for (int left = TOTAL; left > 0; ) {
                var bytes = new byte[Math.min(left, 1 + random.nextInt(MOST))];
                random.nextBytes(bytes);
                sum.update(bytes);
                left -= bytes.length;
                var from = ByteBuffer.wrap(bytes);
                while (from.hasRemaining()) {
                    socket.write(from);
                }
            }
            socket.shutdownOutput();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return sum.getValue();
    }

    private static long read(SocketChannel socket, long seed) {
        var random = new Random(seed);
        var sum = new CRC32C();
        try {
            while (true) {
                var into = ByteBuffer.allocate(1 + random.nextInt(MOST));
                if (socket.read(into) < 0) {
                    return sum.getValue();
                }
                sum.update(into.flip());
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void one_direction_may_end_long_before_the_other() throws Exception {
        try (var ends = bridged("tcp")) {
            ends.left.shutdownOutput();
            assertThat(ends.right.read(ByteBuffer.allocate(1))).isEqualTo(-1);
            for (int i = 0; i < 3; i++) {
                ends.right.write(ByteBuffer.allocate(1));
                assertThat(ends.left.read(ByteBuffer.allocate(1))).isEqualTo(1);
            }
            assertThat(ended).hasValue(0);
            ends.right.shutdownOutput();
            assertThat(ends.left.read(ByteBuffer.allocate(1))).isEqualTo(-1);
            eventually("both bridges have ended", () -> ended.get() == 2);
        }
    }

    @Test
    void a_reset_goes_through_and_ends_both() throws Exception {
        try (var ends = bridged("tcp")) {
            ends.left.setOption(StandardSocketOptions.SO_LINGER, 0);
            ends.left.close();
            assertThatThrownBy(() -> ends.right.read(ByteBuffer.allocate(1)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("reset");
            eventually("both bridges have ended", () -> ended.get() == 2);
        }
    }

    /// Who resets while the bridge has bytes for him that he does not take.
    @Test
    void a_reset_under_pressure_ends_both() throws Exception {
        try (var ends = bridged("tcp")) {
            ends.right.configureBlocking(false);
            var bytes = ByteBuffer.allocate(1 << 20);
            eventually("there is no more room", () -> isFull(ends.right, bytes));
            ends.left.setOption(StandardSocketOptions.SO_LINGER, 0);
            ends.left.close();
            eventually("both bridges have ended", () -> ended.get() == 2);
            // By the loop, as the socket was watched.
            eventually("the other side is reset", () -> isReset(ends.right, bytes));
        }
    }

    private static boolean isReset(SocketChannel socket, ByteBuffer bytes) {
        try {
            socket.write(bytes.clear());
            return false;
        } catch (IOException _) {
            return true;
        }
    }

    private static boolean isFull(SocketChannel socket, ByteBuffer bytes) {
        try {
            for (int i = 0; i < 100; i++) {
                if (socket.write(bytes.clear()) > 0) {
                    return false;
                }
            }
            return true;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void what_was_closed_before_resets_the_other_side() throws Exception {
        var here = VLinks.of(one);
        try (var _ = VLinks.of(two).listen("bridge", "tcp", 1)) {
            var posted = here.connect(two.id(), "bridge", "tcp", "", LIMIT);
            var link = VioSocket.connected(posted, (int) LIMIT.toMillis()).link();
            var near = pair();
            near[1].close();
            Bridge.start(here, near[1], link, ended::incrementAndGet);
            assertThat(ended).hasValue(1);
            assertThat(link.isClosed()).isTrue();
            near[0].close();
        }
    }
}
