package org.ibidem.personality.nio;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.ibidem.Background;
import org.ibidem.personality.TwoNodes;
import org.ibidem.personality.nio.ChannelTable.Kind;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// What befalls a selector while it sleeps, its channels and its thread: the JDK's own and ours,
/// where it sleeps on the channel itself, and where another one does and it is told by the loop.
@Tag("slow")
@Timeout(60)
class SleepingSelectorTest {
    private static TwoNodes nodes;

    enum State {
        ALONE,
        ANOTHER_SLEEPS_THERE,
        BESIDE_A_PIPE,
    }

    static Stream<Arguments> all() {
        return Stream.of(Kind.JDK, Kind.VLINK_SHM, Kind.VLINK_TCP)
                .flatMap(kind -> Arrays.stream(State.values()).map(one -> Arguments.of(kind, one)));
    }

    @BeforeAll
    static void join() {
        nodes = TwoNodes.join("sleeping selectors");
    }

    @AfterAll
    static void leave() {
        nodes.close();
    }

    /// Two channels at a selector, and what the state has beside them.
    private static final class Ends implements AutoCloseable {
        private final List<Closeable> open = new ArrayList<>();
        private final ServerSocketChannel listener;
        private final SocketChannel client;
        private final SocketChannel server;
        private final SocketChannel secondClient;
        private final SocketChannel secondServer;
        private final Selector selector;

        Ends(Kind kind, State state) throws Exception {
            var there = kind.of(nodes.two());
            listener = opened(there.openServerSocketChannel());
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            selector = opened(there.openSelector());
            client = opened(kind.of(nodes.one()).openSocketChannel());
            client.connect(kind.to(listener));
            server = opened(listener.accept());
            secondClient = opened(kind.of(nodes.one()).openSocketChannel());
            secondClient.connect(kind.to(listener));
            secondServer = opened(listener.accept());
            server.configureBlocking(false);
            secondServer.configureBlocking(false);
            if (state == State.ANOTHER_SLEEPS_THERE) {
                var other = opened(there.openSelector());
                server.register(other, SelectionKey.OP_READ);
                new Selecting(other);
            } else if (state == State.BESIDE_A_PIPE) {
                Pipe pipe = there.openPipe();
                opened(pipe.sink());
                opened(pipe.source()).configureBlocking(false);
                pipe.source().register(selector, SelectionKey.OP_READ);
            }
            server.register(selector, SelectionKey.OP_READ);
            secondServer.register(selector, SelectionKey.OP_READ);
        }

        private <T extends Closeable> T opened(T one) {
            open.add(one);
            return one;
        }

        /// Asleep.
        private Selecting selecting() {
            return new Selecting(selector);
        }

        private void selects(SocketChannel from, SocketChannel to, Selector by) throws IOException {
            from.write(ByteBuffer.wrap(new byte[] {7}));
            assertThat(by.select(60_000)).isEqualTo(1);
            by.selectedKeys().clear();
            var got = ByteBuffer.allocate(2);
            assertThat(to.read(got)).isEqualTo(1);
            assertThat(got.get(0)).isEqualTo((byte) 7);
        }

        @Override
        public void close() throws IOException {
            for (var each : open.reversed()) {
                each.close();
            }
        }
    }

    /// A thread that selects once, and sleeps when this is made.
    private static final class Selecting {
        private final CompletableFuture<Thread> begun = new CompletableFuture<>();
        private final CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        private final CompletableFuture<Integer> over;
        private final Thread thread;

        Selecting(Selector selector) {
            over =
                    Background.call(() -> {
                        begun.complete(Thread.currentThread());
                        try {
                            return selector.select();
                        } catch (ClosedSelectorException _) {
                            return 0; // as another test closes
                        } finally {
                            interrupted.complete(Thread.interrupted());
                        }
                    });
            thread = ChannelTable.asleep(begun);
        }

        int get() throws Exception {
            return over.get(60, TimeUnit.SECONDS);
        }
    }

    @ParameterizedTest
    @MethodSource("all")
    void an_interrupt_ends_the_select_and_stays(Kind kind, State state) throws Exception {
        try (var ends = new Ends(kind, state)) {
            var selecting = ends.selecting();
            selecting.thread.interrupt();
            assertThat(selecting.get()).isZero();
            assertThat(selecting.interrupted.get()).isTrue();
            assertThat(ends.selector.isOpen()).isTrue();
            assertThat(ends.server.isOpen()).isTrue();
            ends.selects(ends.client, ends.server, ends.selector);
        }
    }

    @ParameterizedTest
    @MethodSource("all")
    void one_that_closes_leaves_its_channels_to_others(Kind kind, State state) throws Exception {
        try (var ends = new Ends(kind, state);
                var next = ends.server.provider().openSelector()) {
            var selecting = ends.selecting();
            ends.selector.close();
            assertThat(selecting.get()).isZero();
            ends.server.register(next, SelectionKey.OP_READ);
            var again = new Selecting(next);
            ends.client.write(ByteBuffer.wrap(new byte[] {1}));
            assertThat(again.get()).isEqualTo(1);
            assertThat(ends.server.read(ByteBuffer.allocate(2))).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @MethodSource("all")
    void a_channel_that_closes_does_not_end_it(Kind kind, State state) throws Exception {
        try (var ends = new Ends(kind, state)) {
            var selecting = ends.selecting();
            ends.server.close();
            if (state != State.ANOTHER_SLEEPS_THERE || kind != Kind.JDK) {
                assertThat(ends.client.read(ByteBuffer.allocate(1))).isEqualTo(-1);
            }
            assertThat(selecting.over).isNotDone();
            ends.secondClient.write(ByteBuffer.wrap(new byte[] {7}));
            assertThat(selecting.get()).isEqualTo(1);
            assertThat(ends.selector.selectedKeys())
                    .singleElement()
                    .satisfies(key -> assertThat(key.channel()).isEqualTo(ends.secondServer));
            assertThat(ends.selector.keys()).noneMatch(key -> key.channel().equals(ends.server));
        }
    }

    @ParameterizedTest
    @MethodSource("all")
    void a_listener_that_closes_does_not_end_it(Kind kind, State state) throws Exception {
        try (var ends = new Ends(kind, state)) {
            ends.listener.configureBlocking(false);
            ends.listener.register(ends.selector, SelectionKey.OP_ACCEPT);
            var selecting = ends.selecting();
            ends.listener.close();
            assertThat(selecting.over).isNotDone();
            ends.secondClient.write(ByteBuffer.wrap(new byte[] {7}));
            assertThat(selecting.get()).isEqualTo(1);
            assertThat(ends.selector.selectedKeys())
                    .singleElement()
                    .satisfies(key -> assertThat(key.channel()).isEqualTo(ends.secondServer));
        }
    }

    @ParameterizedTest
    @MethodSource("all")
    void a_cancelled_key_makes_room_for_the_next(Kind kind, State state) throws Exception {
        try (var ends = new Ends(kind, state)) {
            for (int i = 0; i < 3; i++) {
                var selecting = ends.selecting();
                ends.server.keyFor(ends.selector).cancel();
                ends.selector.wakeup();
                assertThat(selecting.get()).isZero();
                assertThat(ends.server.keyFor(ends.selector)).isNull();
                ends.server.register(ends.selector, SelectionKey.OP_READ);
                ends.selects(ends.client, ends.server, ends.selector);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("all")
    void a_wake_up_leaves_it_as_it_was(Kind kind, State state) throws Exception {
        try (var ends = new Ends(kind, state)) {
            for (int i = 0; i < 3; i++) {
                var selecting = ends.selecting();
                ends.selector.wakeup();
                assertThat(selecting.get()).isZero();
                selecting = ends.selecting();
                ends.client.write(ByteBuffer.wrap(new byte[] {1}));
                assertThat(selecting.get()).isEqualTo(1);
                ends.selector.selectedKeys().clear();
                assertThat(ends.server.read(ByteBuffer.allocate(2))).isEqualTo(1);
            }
        }
    }
}
