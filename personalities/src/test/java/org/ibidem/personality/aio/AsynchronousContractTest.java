package org.ibidem.personality.aio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.personality.aio.Ends.BULK;
import static org.ibidem.personality.aio.Ends.MOST;
import static org.ibidem.personality.aio.Ends.bytes;
import static org.ibidem.personality.aio.Ends.failsWith;
import static org.ibidem.personality.aio.Ends.fill;
import static org.ibidem.personality.aio.Ends.in;
import static org.ibidem.personality.aio.Ends.listening;
import static org.ibidem.personality.aio.Ends.port;

import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AcceptPendingException;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.AsynchronousChannelGroup;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.CompletionHandler;
import java.nio.channels.IllegalChannelGroupException;
import java.nio.channels.InterruptedByTimeoutException;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.ReadPendingException;
import java.nio.channels.ShutdownChannelGroupException;
import java.nio.channels.WritePendingException;
import java.nio.channels.spi.AsynchronousChannelProvider;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.ibidem.personality.TwoNodes;
import org.ibidem.personality.aio.Ends.Bulk;
import org.ibidem.personality.aio.Ends.Told;
import org.ibidem.personality.sockets.Rules;
import org.ibidem.personality.sockets.Sockets;
import org.ibidem.registry.Node;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What asynchronous channels and their groups promise, tried on the JDK's own, on ours where they
/// lead to the JDK's, and on ours over VLinks.
@Tag("slow")
@Timeout(120)
class AsynchronousContractTest {
    private static TwoNodes nodes;
    private static Node one;
    private static Node two;

    /// Each has threads of its own.
    private static final Map<Node, AsynchronousChannelProvider> PROVIDERS =
            new ConcurrentHashMap<>();

    enum Kind {
        JDK("127.0.0.1"),
        NATIVE("127.0.0.1"),
        VLINK_SHM("1.near"),
        VLINK_TCP("1.far");

        private final String host;

        Kind(String host) {
            this.host = host;
        }

        private AsynchronousChannelProvider of(Node node) {
            if (this == JDK) {
                return AsynchronousChannelProvider.provider();
            }
            return PROVIDERS.computeIfAbsent(
                    node,
                    _ -> {
                        var rules =
                                Rules.parse("*.near -> rank * over shm; *.far -> rank * over tcp");
                        var sockets = new Sockets(() -> node, rules);
                        return new IbidemAsynchronousChannelProvider(() -> sockets);
                    });
        }

        AsynchronousChannelProvider client() {
            return of(one);
        }

        AsynchronousChannelProvider server() {
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
        nodes = TwoNodes.join("asynchronous");
        one = nodes.one();
        two = nodes.two();
    }

    @AfterAll
    static void leave() {
        nodes.close();
        PROVIDERS.clear();
    }

    @ParameterizedTest
    @EnumSource
    void futures_and_handlers_tell_of_a_connect_an_accept_a_read_and_a_write(Kind kind)
            throws Exception {
        try (var listener = listening(kind.server());
                var client = kind.client().openAsynchronousSocketChannel(null)) {
            assertThat(client.getRemoteAddress()).isNull();
            var accepted = new Told<AsynchronousSocketChannel>();
            listener.accept(accepted, accepted);
            var connected = new Told<Void>();
            client.connect(kind.to(port(listener)), connected, connected);
            in(connected);
            try (var server = in(accepted)) {
                assertThat(server.isOpen()).isTrue();
                assertThat(((InetSocketAddress) client.getRemoteAddress()).getPort())
                        .isEqualTo(port(listener));
                assertThat(((InetSocketAddress) server.getLocalAddress()).getPort())
                        .isEqualTo(port(listener));
                var into = ByteBuffer.allocate(10);
                var read = new Told<Integer>();
                server.read(into, read, read);
                assertThat(read).isNotDone();
                assertThat(in(client.write(bytes(1, 2, 3)))).isEqualTo(3);
                assertThat(in(read)).isEqualTo(3);
                var written = new Told<Integer>();
                server.write(bytes(4), written, written);
                assertThat(in(written)).isEqualTo(1);
                assertThat(in(client.read(into))).isEqualTo(1);
                assertThat(into.flip()).isEqualTo(bytes(1, 2, 3, 4));
                assertThat(in(client.read(ByteBuffer.allocate(0)))).isZero();
                assertThat(in(client.write(ByteBuffer.allocate(0)))).isZero();
            }
            assertThat(in(client.read(ByteBuffer.allocate(1)))).isEqualTo(-1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void several_buffers_are_filled_and_emptied_in_their_order(Kind kind) throws Exception {
        try (var ends = new Ends(kind)) {
            var written = new Told<Long>();
            var from = new ByteBuffer[] {bytes(9), bytes(1, 2), bytes(), bytes(3, 4, 5), bytes(9)};
            ends.client.write(from, 1, 3, 0, TimeUnit.SECONDS, written, written);
            assertThat(in(written)).isEqualTo(5);
            assertThat(from[0].remaining() + from[4].remaining()).isEqualTo(2);
            var into = new ByteBuffer[] {ByteBuffer.allocate(4), ByteBuffer.allocate(10)};
            long got = 0;
            while (got < 5) {
                var read = new Told<Long>();
                ends.server.read(into, 0, 2, 0, TimeUnit.SECONDS, read, read);
                got += in(read);
            }
            assertThat(got).isEqualTo(5);
            assertThat(into[0].flip()).isEqualTo(bytes(1, 2, 3, 4));
            assertThat(into[1].flip()).isEqualTo(bytes(5));
            assertThatThrownBy(() ->
                            ends.server.read(into, 1, 2, 0, TimeUnit.SECONDS, null, new Told<>()))
                    .isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    @ParameterizedTest
    @EnumSource
    void one_read_one_write_and_one_accept_are_pending_at_most(Kind kind) throws Exception {
        try (var ends = new Ends(kind)) {
            var reading = ends.server.read(ByteBuffer.allocate(1));
            assertThatThrownBy(() -> ends.server.read(ByteBuffer.allocate(1)))
                    .isInstanceOf(ReadPendingException.class);
            var accepting = ends.listener.accept();
            assertThatThrownBy(ends.listener::accept).isInstanceOf(AcceptPendingException.class);
            // One that seemed to be pending may just have been slow: then the next one is.
            assertThatThrownBy(
                            () -> {
                                while (ends.client.isOpen()) {
                                    var _ = fill(ends.client);
                                }
                            })
                    .isInstanceOf(WritePendingException.class);
            assertThat(in(reading)).isEqualTo(1);
            assertThat(accepting.isDone()).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource
    void much_goes_both_ways_by_handlers(Kind kind) throws Exception {
        try (var ends = new Ends(kind)) {
            var done =
                    new Bulk[] {
                        new Bulk(ends.client, false), new Bulk(ends.server, true),
                        new Bulk(ends.server, false), new Bulk(ends.client, true)
                    };
            for (var one : done) {
                one.next();
            }
            for (var one : done) {
                assertThat(in(one.over)).isEqualTo(BULK);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_read_that_takes_too_long_is_the_last(Kind kind) throws Exception {
        try (var ends = new Ends(kind)) {
            var read = new Told<Integer>();
            ends.server.read(ByteBuffer.allocate(1), 10, TimeUnit.MILLISECONDS, read, read);
            failsWith(InterruptedByTimeoutException.class, () -> in(read));
            assertThatThrownBy(() -> ends.server.read(ByteBuffer.allocate(1)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("Reading not allowed due to timeout or cancellation");
            assertThat(in(ends.server.write(bytes(1)))).as("the other direction").isEqualTo(1);
            var inTime = new Told<Integer>();
            ends.client.read(ByteBuffer.allocate(1), 60, TimeUnit.SECONDS, inTime, inTime);
            assertThat(in(inTime)).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_write_that_takes_too_long_is_the_last(Kind kind) throws Exception {
        try (var ends = new Ends(kind)) {
            var much = ByteBuffer.allocate(1 << 20);
            var writing = new Told<Integer>();
            for (int written = 0; written < MOST && !writing.isCompletedExceptionally(); ) {
                var next = new Told<Integer>();
                ends.client.write(much.clear(), 100, TimeUnit.MILLISECONDS, next, next);
                try {
                    written += in(next);
                } catch (ExecutionException e) {
                    writing.completeExceptionally(e.getCause());
                }
            }
            failsWith(InterruptedByTimeoutException.class, () -> in(writing));
            assertThatThrownBy(() -> ends.client.write(bytes(1)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("Writing not allowed due to timeout or cancellation");
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_cancelled_read_is_the_last_and_a_hard_one_closes(Kind kind) throws Exception {
        try (var ends = new Ends(kind)) {
            var reading = ends.server.read(ByteBuffer.allocate(1));
            assertThat(reading.cancel(false)).isTrue();
            assertThat(reading.isCancelled()).isTrue();
            assertThat(reading.cancel(false)).isFalse();
            assertThat(ends.server.isOpen()).isTrue();
            assertThatThrownBy(() -> ends.server.read(ByteBuffer.allocate(1)))
                    .isInstanceOf(IllegalStateException.class)
                    .isNotInstanceOf(ReadPendingException.class);
            assertThat(ends.client.read(ByteBuffer.allocate(1)).cancel(true)).isTrue();
            assertThat(ends.client.isOpen()).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource
    void closing_ends_what_is_pending(Kind kind) throws Exception {
        try (var ends = new Ends(kind)) {
            var reading = ends.client.read(ByteBuffer.allocate(1));
            var accepting = new Told<AsynchronousSocketChannel>();
            ends.listener.accept(accepting, accepting);
            var writing = fill(ends.client);
            ends.listener.close();
            ends.client.close();
            ends.server.close();
            failsWith(AsynchronousCloseException.class, () -> in(reading));
            failsWith(AsynchronousCloseException.class, () -> in(accepting));
            failsWith(AsynchronousCloseException.class, () -> in(writing));
            assertThat(ends.client.isOpen()).isFalse();
            failsWith(
                    ClosedChannelException.class,
                    () -> in(ends.client.read(ByteBuffer.allocate(1))));
            failsWith(ClosedChannelException.class, () -> in(ends.client.write(bytes(1))));
            failsWith(ClosedChannelException.class, () -> in(ends.listener.accept()));
            failsWith(ClosedChannelException.class, () -> in(ends.client.connect(kind.to(1))));
            assertThatThrownBy(ends.client::getRemoteAddress)
                    .isInstanceOf(ClosedChannelException.class);
            assertThatThrownBy(ends.client::shutdownInput)
                    .isInstanceOf(ClosedChannelException.class);
        }
    }

    @ParameterizedTest
    @EnumSource
    void each_direction_ends_for_itself(Kind kind) throws Exception {
        try (var ends = new Ends(kind)) {
            in(ends.client.write(bytes(1)));
            ends.client.shutdownOutput();
            failsWith(ClosedChannelException.class, () -> in(ends.client.write(bytes(1))));
            var into = ByteBuffer.allocate(10);
            assertThat(in(ends.server.read(into))).isEqualTo(1);
            assertThat(in(ends.server.read(into))).isEqualTo(-1);
            assertThat(in(ends.server.write(bytes(2)))).isEqualTo(1);
            assertThat(in(ends.client.read(into))).isEqualTo(1);
            var reading = ends.client.read(into);
            ends.client.shutdownInput();
            assertThat(in(reading)).isEqualTo(-1);
            assertThat(in(ends.client.read(into))).isEqualTo(-1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_connect_to_nobody_is_refused_and_closes(Kind kind) throws Exception {
        int port;
        try (var listener = listening(kind.server())) {
            port = port(listener);
        }
        try (var client = kind.client().openAsynchronousSocketChannel(null)) {
            assertThatThrownBy(() -> in(client.connect(kind.to(port))))
                    .cause()
                    .isInstanceOf(ConnectException.class)
                    .hasMessageStartingWith("Connection refused");
            assertThat(client.isOpen()).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource
    void what_is_wrong_is_refused(Kind kind) throws Exception {
        var provider = kind.client();
        try (var ends = new Ends(kind);
                var fresh = provider.openAsynchronousSocketChannel(null);
                var unbound = provider.openAsynchronousServerSocketChannel(null)) {
            assertThatThrownBy(() -> fresh.read(ByteBuffer.allocate(1)))
                    .isInstanceOf(NotYetConnectedException.class);
            assertThatThrownBy(() -> fresh.write(bytes(1)))
                    .isInstanceOf(NotYetConnectedException.class);
            assertThatThrownBy(fresh::shutdownOutput).isInstanceOf(NotYetConnectedException.class);
            assertThatThrownBy(unbound::accept).isInstanceOf(NotYetBoundException.class);
            assertThatThrownBy(() -> ends.client.connect(kind.to(1)))
                    .isInstanceOf(AlreadyConnectedException.class);
            assertThatThrownBy(() -> ends.client.read(bytes(1).asReadOnlyBuffer()))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> ends.client.read(bytes(1), null, null))
                    .isInstanceOf(NullPointerException.class);
            ends.client.setOption(StandardSocketOptions.TCP_NODELAY, true);
            assertThat(ends.client.getOption(StandardSocketOptions.TCP_NODELAY)).isTrue();
            assertThatThrownBy(() ->
                            ends.client.setOption(StandardSocketOptions.IP_MULTICAST_LOOP, true))
                    .isInstanceOf(UnsupportedOperationException.class);
        }
    }

    @ParameterizedTest
    @EnumSource
    void handlers_run_in_the_threads_of_their_group_which_ends_with_its_channels(Kind kind)
            throws Exception {
        var provider = kind.client();
        var factory = Thread.ofPlatform().daemon().name("of the group ", 0).factory();
        var group = provider.openAsynchronousChannelGroup(2, factory);
        try (var listener = listening(kind.server())) {
            var client = provider.openAsynchronousSocketChannel(group);
            var accepting = listener.accept();
            in(client.connect(kind.to(port(listener))));
            var server = in(accepting);
            var thread = new CompletableFuture<String>();
            client.read(
                    ByteBuffer.allocate(1),
                    null,
                    new CompletionHandler<Integer, Void>() {
                        @Override
                        public void completed(Integer count, Void nothing) {
                            thread.complete(Thread.currentThread().getName());
                        }

                        @Override
                        public void failed(Throwable why, Void nothing) {
                            thread.completeExceptionally(why);
                        }
                    });
            in(server.write(bytes(1)));
            assertThat(in(thread)).startsWith("of the group ");
            group.shutdown();
            assertThat(group.isShutdown()).isTrue();
            assertThat(group.isTerminated()).as("a channel is open").isFalse();
            assertThatThrownBy(() -> provider.openAsynchronousSocketChannel(group))
                    .isInstanceOf(ShutdownChannelGroupException.class);
            client.close();
            assertThat(group.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
            assertThat(group.isTerminated()).isTrue();
            server.close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_group_that_is_shut_down_now_closes_its_channels(Kind kind) throws Exception {
        var provider = kind.client();
        var factory = Thread.ofPlatform().daemon().factory();
        var group = provider.openAsynchronousChannelGroup(1, factory);
        try (var listener = listening(kind.server())) {
            var client = provider.openAsynchronousSocketChannel(group);
            var accepting = listener.accept();
            in(client.connect(kind.to(port(listener))));
            var reading = client.read(ByteBuffer.allocate(1));
            group.shutdownNow();
            failsWith(AsynchronousCloseException.class, () -> in(reading));
            assertThat(client.isOpen()).isFalse();
            assertThat(group.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
            in(accepting).close();
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "JDK")
    void a_group_of_another_provider_is_refused(Kind kind) throws Exception {
        var factory = Thread.ofPlatform().daemon().factory();
        var foreign = AsynchronousChannelGroup.withFixedThreadPool(1, factory);
        assertThatThrownBy(() -> kind.client().openAsynchronousSocketChannel(foreign))
                .isInstanceOf(IllegalChannelGroupException.class);
        foreign.shutdown();
    }

    @ParameterizedTest
    @EnumSource(names = {"VLINK_SHM", "VLINK_TCP"})
    void one_listener_accepts_by_vlink_and_by_the_jdk_at_once(Kind kind) throws Exception {
        try (var listener = listening(kind.server());
                var near = kind.client().openAsynchronousSocketChannel(null);
                var plain = AsynchronousSocketChannel.open()) {
            for (var one : new AsynchronousSocketChannel[] {near, plain}) {
                var accepting = listener.accept();
                var to = one.equals(near) ? kind : Kind.JDK;
                in(one.connect(to.to(port(listener))));
                try (var server = in(accepting)) {
                    in(server.write(bytes(7)));
                    assertThat(in(one.read(ByteBuffer.allocate(1)))).isEqualTo(1);
                    assertThat(server.toString()).contains(one.equals(near) ? "VLink" : "native");
                }
            }
        }
    }
}
