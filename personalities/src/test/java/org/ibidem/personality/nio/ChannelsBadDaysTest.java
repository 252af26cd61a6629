package org.ibidem.personality.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.eventually;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.ibidem.Background;
import org.ibidem.hub.Hub;
import org.ibidem.personality.TwoNodes;
import org.ibidem.personality.sockets.Rules;
import org.ibidem.personality.sockets.Sockets;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.ibidem.vlink.VLinks;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What goes wrong with channels in selectors: never a hang, and the exception the JDK would give.
@Tag("slow")
@Timeout(180)
class ChannelsBadDaysTest {
    private static final int LONG = 60_000;
    private static TwoNodes nodes;

    enum Kind {
        JDK("127.0.0.1"),
        VLINK_SHM("1.near"),
        VLINK_TCP("1.far");

        private final String host;

        Kind(String host) {
            this.host = host;
        }

        private SelectorProvider of(Node node) {
            return this == JDK ? SelectorProvider.provider() : provider(node);
        }

        private InetSocketAddress to(int port) {
            return this == JDK
                    ? new InetSocketAddress(host, port)
                    : InetSocketAddress.createUnresolved(host, port);
        }
    }

    @BeforeAll
    static void join() {
        nodes = TwoNodes.join("bad days");
    }

    @AfterAll
    static void leave() {
        nodes.close();
    }

    private static SelectorProvider provider(Node node) {
        var rules = Rules.parse("*.near -> rank * over shm; *.far -> rank * over tcp");
        var sockets = new Sockets(() -> node, rules);
        return new IbidemSelectorProvider(() -> sockets);
    }

    private static ServerSocketChannel listening(SelectorProvider provider) throws IOException {
        return provider.openServerSocketChannel()
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1000);
    }

    private static int port(ServerSocketChannel listener) throws IOException {
        return ((InetSocketAddress) listener.getLocalAddress()).getPort();
    }

    private record Ends(SocketChannel client, SocketChannel server, Selector selector)
            implements AutoCloseable {
        static Ends of(Kind kind, TwoNodes between) throws IOException {
            var there = kind.of(between.two());
            try (var listener = listening(there)) {
                var client = kind.of(between.one()).openSocketChannel();
                client.connect(kind.to(port(listener)));
                var server = listener.accept();
                server.configureBlocking(false);
                var selector = there.openSelector();
                server.register(selector, SelectionKey.OP_READ);
                return new Ends(client, server, selector);
            }
        }

        /// What the next read that has something finds.
        int read() throws IOException {
            while (true) {
                selector.select(LONG);
                selector.selectedKeys().clear();
                int got = server.read(ByteBuffer.allocate(100));
                if (got != 0) {
                    return got;
                }
            }
        }

        @Override
        public void close() throws IOException {
            selector.close();
            client.close();
            server.close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void each_direction_ends_for_itself(Kind kind) throws Exception {
        try (var ends = Ends.of(kind, nodes)) {
            ends.client.shutdownOutput();
            assertThat(ends.read()).isEqualTo(-1);
            ends.server.write(ByteBuffer.wrap(new byte[5]));
            assertThat(ends.client.read(ByteBuffer.allocate(9))).isEqualTo(5);
            ends.server.shutdownOutput();
            assertThat(ends.client.read(ByteBuffer.allocate(9))).isEqualTo(-1);
        }
        try (var ends = Ends.of(kind, nodes)) {
            ends.server.shutdownOutput();
            assertThat(ends.client.read(ByteBuffer.allocate(9))).isEqualTo(-1);
            ends.client.write(ByteBuffer.wrap(new byte[7]));
            assertThat(ends.read()).isEqualTo(7);
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_reset_in_the_middle_is_selected_and_said(Kind kind) throws Exception {
        try (var ends = Ends.of(kind, nodes)) {
            ends.client.write(ByteBuffer.wrap(new byte[10]));
            assertThat(ends.read()).isEqualTo(10);
            ends.client.setOption(StandardSocketOptions.SO_LINGER, 0);
            ends.client.close();
            assertThatThrownBy(ends::read)
                    .isInstanceOf(SocketException.class)
                    .hasMessageStartingWith("Connection reset");
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "JDK")
    void a_peer_whose_node_is_gone_is_selected_and_said(Kind kind) throws Exception {
        try (var others = TwoNodes.join("bad days, one of them the last");
                var ends = Ends.of(kind, others)) {
            others.one().close();
            CompletableFuture.runAsync(
                            () -> {
                                try {
                                    assertThat(ends.read()).isEqualTo(-1);
                                } catch (IOException e) {
                                    assertThat(e).isInstanceOf(SocketException.class);
                                }
                            })
                    .orTimeout(LONG, TimeUnit.MILLISECONDS)
                    .join();
        }
    }

    /// Of three that the pool is to have, one has gone already.
    @Test
    void who_is_there_is_reached_though_another_has_left() throws Exception {
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0))) {
            var join = Join.pool("three").hub("localhost:" + hub.port()).size(3);
            var left = Node.join(join.rank(2));
            try (var one = Node.join(join.rank(0));
                    var two = Node.join(join.rank(1))) {
                one.awaitMembers(3, Duration.ofMillis(LONG));
                left.close();
                try (var listener = listening(provider(two));
                        var client = provider(one).openSocketChannel()) {
                    var to = InetSocketAddress.createUnresolved("1.near", port(listener));
                    assertThat(client.connect(to)).isTrue();
                }
            }
        }
    }

    /// A rank that a pool of this size has not.
    @Test
    void who_cannot_be_reached_is_told_by_the_selector() throws Exception {
        var here = provider(nodes.one());
        try (var selector = here.openSelector();
                var client = here.openSocketChannel()) {
            client.configureBlocking(false);
            client.register(selector, SelectionKey.OP_CONNECT);
            assertThat(client.connect(InetSocketAddress.createUnresolved("7.near", 99))).isFalse();
            assertThat(selector.select(LONG)).isEqualTo(1);
            assertThatThrownBy(client::finishConnect)
                    .isInstanceOf(NoRouteToHostException.class)
                    .hasMessageStartingWith("No route to host");
            assertThat(client.isOpen()).isFalse();
        }
    }

    /// Who does not accept what waits leaves the next one waiting or refuses him, as a full queue
    /// of TCP does.
    @ParameterizedTest
    @EnumSource
    void a_connect_ends_at_its_time_limit(Kind kind) throws Exception {
        try (var listener =
                kind.of(nodes.two())
                        .openServerSocketChannel()
                        .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1)) {
            var made = new ArrayList<SocketChannel>();
            try {
                assertThatThrownBy(
                                () -> {
                                    for (int i = 0; i < 10; i++) {
                                        made.add(kind.of(nodes.one()).openSocketChannel());
                                        var to = kind.to(port(listener));
                                        made.getLast().socket().connect(to, 300);
                                    }
                                })
                        .isInstanceOfAny(limited(kind));
            } finally {
                for (var each : made) {
                    each.close();
                }
            }
        }
    }

    /// The system may refuse what a full queue has no room for; ours only lets wait. It gives up
    /// after a minute by itself, which is another exception.
    private static Class<?>[] limited(Kind kind) {
        return kind == Kind.JDK
                ? new Class<?>[] {SocketTimeoutException.class, ConnectException.class}
                : new Class<?>[] {SocketTimeoutException.class};
    }

    /// As the JDK says it where the system gives up. The room of the queue is 1.
    @Test
    @Tag("full")
    void who_is_never_answered_is_told_by_the_selector() throws Exception {
        var here = provider(nodes.one());
        try (var listener = provider(nodes.two()).openServerSocketChannel();
                var first = here.openSocketChannel();
                var second = here.openSocketChannel();
                var selector = here.openSelector()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
            var to = Kind.VLINK_SHM.to(port(listener));
            first.connect(to);
            second.configureBlocking(false);
            second.register(selector, SelectionKey.OP_CONNECT);
            assertThat(second.connect(to)).isFalse();
            assertThat(selector.select(2 * LONG)).isEqualTo(1);
            assertThatThrownBy(second::finishConnect)
                    .isInstanceOf(ConnectException.class)
                    .hasMessage("Connection timed out");
            assertThat(second.isOpen()).isFalse();
        }
    }

    /// One after the other, each with a byte there and back: as many as a busy server of the web
    /// has in a minute. Nothing is left of them. On a quiet machine it takes a quarter of that; one
    /// that others use up may take many times as long for the turns of threads alone.
    @ParameterizedTest
    @Timeout(900)
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "JDK")
    void many_connects_leave_nothing(Kind kind) throws Exception {
        int count = Boolean.getBoolean("ibidem.full") ? 10_000 : 300;
        int before = vlinks(); // of other tests here
        long begin = System.nanoTime();
        try (var listener = listening(kind.of(nodes.two()))) {
            var here = kind.of(nodes.one());
            for (int i = 0; i < count; i++) {
                try (var client = here.openSocketChannel()) {
                    client.connect(kind.to(port(listener)));
                    try (var server = listener.accept()) {
                        client.write(ByteBuffer.wrap(new byte[] {(byte) i}));
                        var got = ByteBuffer.allocate(2);
                        assertThat(server.read(got)).isEqualTo(1);
                        server.write(got.flip());
                        assertThat(client.read(ByteBuffer.allocate(2))).isEqualTo(1);
                    }
                }
            }
        }
        eventually("no VLink is left", () -> vlinks() <= before);
        System.out.printf(
                "%d connects by %s: %.0f a minute%n",
                count, kind, count * 60e9 / (System.nanoTime() - begin));
    }

    private static int vlinks() {
        return VLinks.of(nodes.one()).size() + VLinks.of(nodes.two()).size();
    }

    private static CompletableFuture<Integer> selects(Selector selector) {
        return Background.call(() -> selector.select(LONG));
    }

    /// What comes is told to both, whoever of them came first.
    @ParameterizedTest
    @EnumSource
    void two_selectors_of_one_channel_are_both_told(Kind kind) throws Exception {
        try (var ends = Ends.of(kind, nodes);
                var other = ends.server.provider().openSelector()) {
            ends.server.register(other, SelectionKey.OP_READ);
            for (int i = 0; i < 20; i++) {
                var one = selects(ends.selector);
                var two = selects(other);
                ends.client.write(ByteBuffer.wrap(new byte[] {(byte) i}));
                assertThat(one.get()).isEqualTo(1);
                assertThat(two.get()).isEqualTo(1);
                ends.selector.selectedKeys().clear();
                other.selectedKeys().clear();
                assertThat(ends.server.read(ByteBuffer.allocate(2))).isEqualTo(1);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_selector_that_was_closed_leaves_its_channel_to_another(Kind kind) throws Exception {
        try (var ends = Ends.of(kind, nodes)) {
            for (int i = 0; i < 5; i++) {
                try (var other = ends.server.provider().openSelector()) {
                    ends.server.register(other, SelectionKey.OP_READ);
                    assertThat(other.select(2)).isZero();
                }
            }
            var selecting = selects(ends.selector);
            ends.client.write(ByteBuffer.wrap(new byte[] {1}));
            assertThat(selecting.get()).isEqualTo(1);
            assertThat(ends.server.read(ByteBuffer.allocate(2))).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void buffers_that_are_gathered_arrive_in_order(Kind kind) throws Exception {
        try (var ends = Ends.of(kind, nodes)) {
            ends.client.configureBlocking(false);
            var all = new ByteBuffer[40];
            int sum = 0;
            for (int i = 0; i < all.length; i++) {
                all[i] = ByteBuffer.allocate(i % 3 == 0 ? 0 : i * 997);
                while (all[i].hasRemaining()) {
                    all[i].put((byte) sum++);
                }
                all[i].flip();
            }
            var got = ByteBuffer.allocate(sum);
            while (got.hasRemaining()) {
                ends.client.write(all, 1, all.length - 1);
                ends.selector.select(10);
                ends.selector.selectedKeys().clear();
                ends.server.read(got);
            }
            for (int i = 0; i < sum; i++) {
                assertThat(got.get(i)).isEqualTo((byte) i);
            }
        }
    }
}
