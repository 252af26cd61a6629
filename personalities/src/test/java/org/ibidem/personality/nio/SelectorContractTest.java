package org.ibidem.personality.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.IllegalSelectorException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.ibidem.personality.TwoNodes;
import org.ibidem.personality.sockets.Rules;
import org.ibidem.personality.sockets.Sockets;
import org.ibidem.registry.Node;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What selectors and their channels promise, tried on the JDK's own, on ours where they lead to
/// the JDK's, and on ours over VLinks.
@Tag("slow")
@Timeout(120)
class SelectorContractTest {
    private static final int BULK = 2_000_000;
    private static TwoNodes nodes;
    private static Node one;
    private static Node two;

    enum Kind {
        JDK("127.0.0.1"),
        NATIVE("127.0.0.1"),
        VLINK_SHM("1.near"),
        VLINK_TCP("1.far");

        private final String host;

        Kind(String host) {
            this.host = host;
        }

        private SelectorProvider of(Node node) {
            if (this == JDK) {
                return SelectorProvider.provider();
            }
            var rules = Rules.parse("*.near -> rank * over shm; *.far -> rank * over tcp");
            var sockets = new Sockets(() -> node, rules);
            return new IbidemSelectorProvider(() -> sockets);
        }

        SelectorProvider client() {
            return of(one);
        }

        SelectorProvider server() {
            return of(two);
        }

        InetSocketAddress to(int port) {
            return host.startsWith("1.")
                    ? InetSocketAddress.createUnresolved(host, port)
                    : new InetSocketAddress(host, port);
        }
    }

    @BeforeAll
    static void join() {
        nodes = TwoNodes.join("channels");
        one = nodes.one();
        two = nodes.two();
    }

    @AfterAll
    static void leave() {
        nodes.close();
    }

    private static ServerSocketChannel listening(SelectorProvider provider) throws IOException {
        return provider.openServerSocketChannel()
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    private static int port(ServerSocketChannel listener) throws IOException {
        return ((InetSocketAddress) listener.getLocalAddress()).getPort();
    }

    /// Two that are connected, both in their selectors.
    private static final class Ends implements AutoCloseable {
        final ServerSocketChannel listener;
        final SocketChannel client;
        final SocketChannel server;
        final Selector selector;

        Ends(Kind kind) throws IOException {
            var provider = kind.server();
            listener = listening(provider);
            client = kind.client().openSocketChannel();
            client.connect(kind.to(port(listener)));
            server = listener.accept();
            selector = provider.openSelector();
            server.configureBlocking(false);
        }

        @Override
        public void close() throws IOException {
            selector.close();
            client.close();
            server.close();
            listener.close();
        }
    }

    private static CompletableFuture<Integer> selects(Selector selector) {
        var begun = new CompletableFuture<Thread>();
        var future = new CompletableFuture<Integer>();
        Thread.ofPlatform()
                .daemon()
                .start(() -> {
                    begun.complete(Thread.currentThread());
                    try {
                        future.complete(selector.select());
                    } catch (Throwable e) {
                        future.completeExceptionally(e);
                    }
                });
        begun.join();
        return future;
    }

    private static <T> T in(CompletableFuture<T> future) throws Exception {
        return future.get(60, TimeUnit.SECONDS);
    }

    private static ByteBuffer bytes(int... values) {
        var buffer = ByteBuffer.allocate(values.length);
        for (int value : values) {
            buffer.put((byte) value);
        }
        return buffer.flip();
    }

    @ParameterizedTest
    @EnumSource
    void a_connect_an_accept_a_read_and_a_write_are_selected(Kind kind) throws Exception {
        var here = kind.client();
        var there = kind.server();
        try (var listener = listening(there);
                var accepts = there.openSelector();
                var connects = here.openSelector();
                var client = here.openSocketChannel()) {
            listener.configureBlocking(false);
            assertThat(listener.accept()).isNull();
            listener.register(accepts, SelectionKey.OP_ACCEPT, "listener");
            client.configureBlocking(false);
            var key = client.register(connects, SelectionKey.OP_CONNECT);
            if (!client.connect(kind.to(port(listener)))) {
                assertThat(client.isConnectionPending() || client.isConnected()).isTrue();
                assertThat(connects.select(60_000)).isEqualTo(1);
                assertThat(key.isConnectable()).isTrue();
                assertThat(client.finishConnect()).isTrue();
            }
            connects.selectedKeys().clear();
            assertThat(accepts.select(60_000)).isEqualTo(1);
            assertThat(accepts.selectedKeys().iterator().next().attachment()).isEqualTo("listener");
            accepts.selectedKeys().clear();
            try (var server = listener.accept()) {
                server.configureBlocking(false);
                assertThat(server.read(ByteBuffer.allocate(1))).isZero();
                var reads = server.register(accepts, SelectionKey.OP_READ);
                assertThat(accepts.selectNow()).isZero();
                key.interestOps(SelectionKey.OP_WRITE);
                assertThat(connects.select(60_000)).isEqualTo(1);
                assertThat(key.isWritable()).isTrue();
                assertThat(client.write(bytes(1, 2, 3))).isEqualTo(3);
                assertThat(accepts.select(60_000)).isEqualTo(1);
                assertThat(reads.isReadable()).isTrue();
                assertThat(accepts.selectNow()).as("it is among them already").isZero();
                var into = ByteBuffer.allocate(10);
                assertThat(server.read(into)).isEqualTo(3);
                accepts.selectedKeys().clear();
                assertThat(accepts.selectNow()).isZero();
                client.shutdownOutput();
                assertThat(accepts.select(60_000)).isEqualTo(1);
                assertThat(server.read(into)).isEqualTo(-1);
            }
        }
    }

    /// By turns by who looks again and again, by who sleeps when it is there, and by who sleeps
    /// before.
    @ParameterizedTest
    @EnumSource
    void what_comes_is_found_by_looking_and_wakes_who_looked_before(Kind kind) throws Exception {
        try (var ends = new Ends(kind)) {
            ends.server.register(ends.selector, SelectionKey.OP_READ);
            for (int i = 0; i < 60; i++) {
                for (int look = 0; look < 50; look++) {
                    assertThat(ends.selector.selectNow()).isZero();
                }
                var asleep = i % 3 == 2 ? selects(ends.selector) : null;
                ends.client.write(bytes(i));
                if (asleep != null) {
                    assertThat(in(asleep)).isEqualTo(1);
                } else if (i % 3 == 1) {
                    assertThat(ends.selector.select(60_000)).isEqualTo(1);
                } else {
                    while (ends.selector.selectNow() == 0) {
                        Thread.onSpinWait();
                    }
                }
                ends.selector.selectedKeys().clear();
                var into = ByteBuffer.allocate(10);
                assertThat(ends.server.read(into)).isEqualTo(1);
                assertThat(into.get(0)).isEqualTo((byte) i);
            }
        }
    }

    @ParameterizedTest
    @Tag("slow")
    @EnumSource
    void much_goes_both_ways_through_one_selector_each(Kind kind) throws Exception {
        try (var ends = new Ends(kind)) {
            ends.server.register(ends.selector, SelectionKey.OP_READ);
            var writing = CompletableFuture.runAsync(() -> writeAll(ends.client));
            long got = 0;
            var into = ByteBuffer.allocateDirect(10_000);
            while (got >= 0 && got < BULK) {
                ends.selector.select(60_000);
                ends.selector.selectedKeys().clear();
                for (int some = ends.server.read(into); some > 0; some = ends.server.read(into)) {
                    got = checked(into.flip(), got);
                    into.clear();
                }
            }
            assertThat(got).isEqualTo(BULK);
            writing.join();
        }
    }

    private static long checked(ByteBuffer some, long at) {
        long next = at;
        while (some.hasRemaining()) {
            assertThat(some.get()).isEqualTo((byte) next++);
        }
        return next;
    }

    private static void writeAll(SocketChannel client) {
        var all = ByteBuffer.allocate(BULK);
        for (int i = 0; i < BULK; i++) {
            all.put((byte) i);
        }
        all.flip();
        try {
            while (all.hasRemaining()) {
                client.write(all);
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_connect_to_nobody_is_refused(Kind kind) throws Exception {
        int port;
        try (var listener = listening(kind.server())) {
            port = port(listener);
        }
        var here = kind.client();
        try (var selector = here.openSelector();
                var client = here.openSocketChannel()) {
            client.configureBlocking(false);
            client.register(selector, SelectionKey.OP_CONNECT);
            assertThatThrownBy(
                            () -> {
                                client.connect(kind.to(port));
                                selector.select(60_000);
                                client.finishConnect();
                            })
                    .isInstanceOf(ConnectException.class)
                    .hasMessageStartingWith("Connection refused");
            assertThat(client.isOpen()).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_wake_up_ends_this_select_or_the_next(Kind kind) throws Exception {
        try (var ends = new Ends(kind)) {
            ends.server.register(ends.selector, SelectionKey.OP_READ);
            ends.selector.wakeup();
            assertThat(ends.selector.select()).isZero();
            var selecting = selects(ends.selector);
            ends.selector.wakeup();
            assertThat(in(selecting)).isZero();
            ends.selector.wakeup();
            assertThat(ends.selector.selectNow()).isZero();
            assertThat(ends.selector.select(10)).as("the wake-up was used").isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_cancelled_key_is_forgotten_with_the_next_select(Kind kind) throws Exception {
        try (var ends = new Ends(kind)) {
            var key = ends.server.register(ends.selector, SelectionKey.OP_READ);
            ends.client.write(bytes(1));
            assertThat(ends.selector.select(60_000)).isEqualTo(1);
            key.cancel();
            assertThat(key.isValid()).isFalse();
            assertThatThrownBy(key::interestOps).isInstanceOf(CancelledKeyException.class);
            assertThat(ends.selector.keys()).containsExactly(key);
            assertThatThrownBy(() -> ends.server.register(ends.selector, SelectionKey.OP_READ))
                    .isInstanceOf(CancelledKeyException.class);
            assertThat(ends.selector.selectNow()).isZero();
            assertThat(ends.selector.keys()).isEmpty();
            assertThat(ends.selector.selectedKeys()).isEmpty();
            var again = ends.server.register(ends.selector, SelectionKey.OP_READ);
            assertThat(again).isNotSameAs(key);
            assertThat(ends.selector.select(60_000)).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_channel_that_closes_takes_its_key_along(Kind kind) throws Exception {
        try (var ends = new Ends(kind)) {
            var key = ends.server.register(ends.selector, SelectionKey.OP_READ);
            ends.server.close();
            assertThat(key.isValid()).isFalse();
            assertThat(ends.selector.selectNow()).isZero();
            assertThat(ends.selector.keys()).isEmpty();
            assertThat(ends.client.read(ByteBuffer.allocate(1))).isEqualTo(-1);
            assertThatThrownBy(() -> ends.server.read(ByteBuffer.allocate(1)))
                    .isInstanceOf(ClosedChannelException.class);
        }
    }

    @ParameterizedTest
    @EnumSource
    void closing_a_selector_ends_its_select(Kind kind) throws Exception {
        try (var ends = new Ends(kind)) {
            var key = ends.server.register(ends.selector, SelectionKey.OP_READ);
            var selecting = selects(ends.selector);
            ends.selector.close();
            try {
                in(selecting);
            } catch (java.util.concurrent.ExecutionException e) {
                // it had not begun
                assertThat(e).hasCauseInstanceOf(ClosedSelectorException.class);
            }
            assertThat(key.isValid()).isFalse();
            assertThatThrownBy(ends.selector::selectNow)
                    .isInstanceOf(ClosedSelectorException.class);
            assertThatThrownBy(ends.selector::keys).isInstanceOf(ClosedSelectorException.class);
            assertThat(ends.server.isOpen()).isTrue();
            assertThat(ends.server.keyFor(ends.selector)).isNull();
        }
    }

    @ParameterizedTest
    @EnumSource
    void another_thread_may_change_what_is_of_interest(Kind kind) throws Exception {
        try (var ends = new Ends(kind)) {
            var key = ends.server.register(ends.selector, 0);
            ends.client.write(bytes(1));
            var selecting = selects(ends.selector);
            key.interestOps(SelectionKey.OP_READ);
            ends.selector.wakeup();
            int found = in(selecting);
            assertThat(found + ends.selector.select(60_000)).isPositive();
            assertThat(key.isReadable()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void what_is_wrong_is_refused(Kind kind) throws Exception {
        try (var ends = new Ends(kind);
                var fresh = kind.server().openSocketChannel()) {
            assertThatThrownBy(() -> ends.server.register(ends.selector, SelectionKey.OP_ACCEPT))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> ends.client.register(ends.selector, SelectionKey.OP_READ))
                    .isInstanceOf(IllegalBlockingModeException.class);
            ends.server.register(ends.selector, SelectionKey.OP_READ);
            assertThatThrownBy(() -> ends.server.configureBlocking(true))
                    .isInstanceOf(IllegalBlockingModeException.class);
            assertThatThrownBy(() -> ends.selector.selectedKeys().add(null))
                    .isInstanceOf(UnsupportedOperationException.class);
            assertThatThrownBy(() -> ends.selector.select(-1))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> fresh.read(ByteBuffer.allocate(1)))
                    .isInstanceOf(NotYetConnectedException.class);
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "JDK")
    void a_channel_of_another_provider_is_refused(Kind kind) throws Exception {
        try (var foreign = kind.client().openSocketChannel();
                var selector = kind.server().openSelector();
                var jdk = Selector.open()) {
            foreign.configureBlocking(false);
            assertThatThrownBy(() -> foreign.register(selector, SelectionKey.OP_READ))
                    .isInstanceOf(IllegalSelectorException.class);
            assertThatThrownBy(() -> foreign.register(jdk, SelectionKey.OP_READ))
                    .isInstanceOf(IllegalSelectorException.class);
        }
    }

    @ParameterizedTest
    @EnumSource
    void pipes_are_selected_beside(Kind kind) throws Exception {
        try (var ends = new Ends(kind)) {
            var pipe = kind.server().openPipe();
            pipe.source().configureBlocking(false);
            ends.server.register(ends.selector, SelectionKey.OP_READ);
            var key = pipe.source().register(ends.selector, SelectionKey.OP_READ);
            pipe.sink().write(bytes(1));
            assertThat(ends.selector.select(60_000)).isEqualTo(1);
            assertThat(key.isReadable()).isTrue();
            pipe.sink().close();
            pipe.source().close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_blocked_read_ends_when_another_thread_closes(Kind kind) throws Exception {
        try (var ends = new Ends(kind)) {
            var begun = new CompletableFuture<Thread>();
            var reading = new CompletableFuture<Integer>();
            Thread.ofPlatform()
                    .daemon()
                    .start(() -> {
                        begun.complete(Thread.currentThread());
                        try {
                            reading.complete(ends.client.read(ByteBuffer.allocate(1)));
                        } catch (IOException e) {
                            reading.completeExceptionally(e);
                        }
                    });
            var reader = begun.join();
            while (reader.getState() == Thread.State.NEW) {
                Thread.onSpinWait();
            }
            ends.client.close();
            assertThat(reading.<Throwable>handle((_, e) -> e).get(60, TimeUnit.SECONDS))
                    .isInstanceOf(ClosedChannelException.class);
            assertThat(AsynchronousCloseException.class)
                    .isAssignableTo(ClosedChannelException.class);
        }
    }
}
