package org.ibidem.vlink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.Eventually.eventually;

import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.ibidem.Background;
import org.ibidem.vlink.VLinkFailed.Kind;
import org.ibidem.wait.Armed;
import org.ibidem.wait.DirectWait;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// What befalls a VLink for which a thread waits, in each way there is to wait for it.
@Timeout(60)
class SleepStatesTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final long LONG = TimeUnit.HOURS.toNanos(1);
    private static final int LOOKS = 10;

    private final Pair pair = new Pair();
    private VLink client;
    private VLink server;

    /// How a thread waits for a byte.
    enum State {
        /// It sleeps on it by itself.
        ALONE {
            @Override
            void await(VLink link, Semaphore told) {
                assertThat(link.sleepsReadable(LONG)).isTrue();
            }
        },

        /// It would, but somebody watches: the loop tells.
        TAKEN_BACK {
            @Override
            void await(VLink link, Semaphore told) throws InterruptedException {
                link.sleepsReadable(1);
                link.whenReadable(told::release);
                link.sleepsReadable(1);
                told.acquire();
            }
        },

        /// In a selector of its own.
        SELECTING {
            @Override
            void await(VLink link, Semaphore told) throws Exception {
                try (var selector = Selector.open();
                        var direct = link.waitsReadable(selector, selector::wakeup)) {
                    if (armed(selector, direct) == Armed.SLEEP) {
                        selector.select(_ -> direct.ready());
                    }
                    direct.disarm();
                }
            }
        },

        /// Nobody but the loop has ever waited for it.
        WATCHED {
            @Override
            void await(VLink link, Semaphore told) throws InterruptedException {
                link.whenReadable(told::release);
                told.acquire();
            }
        };

        abstract void await(VLink link, Semaphore told) throws Exception;
    }

    private static Armed armed(Selector selector, DirectWait direct) throws Exception {
        var armed = direct.arm();
        if (armed == Armed.SLEEP_THEN_LOOK) {
            armed = selector.select(_ -> direct.ready(), 1) == 0 ? direct.arm() : Armed.READY;
        }
        return armed == Armed.SLEEP_THEN_LOOK ? Armed.SLEEP : armed;
    }

    static Stream<Arguments> states() {
        return Stream.of("shm", "tcp")
                .flatMap(stack ->
                        Arrays.stream(State.values()).map(one -> Arguments.of(stack, one)));
    }

    @AfterEach
    void close() {
        pair.close();
    }

    private void connect(String stack) {
        try (var listener = pair.to.listen("states", stack, 5)) {
            var accepting = listener.postAccept();
            client = VLinkTest.done(pair.from.connect(pair.two.id(), "states", stack, "", LIMIT));
            server = VLinkTest.done(accepting);
        }
    }

    /// A thread that reads one byte of the client's end.
    private final class Reader {
        private final CompletableFuture<Thread> thread = new CompletableFuture<>();
        private final CompletableFuture<Object> got;
        private volatile boolean interrupted;

        Reader(State state) {
            got =
                    Background.outcome(() -> {
                        thread.complete(Thread.currentThread());
                        return next(state);
                    });
            var looks = new AtomicInteger();
            eventually(
                    "it sleeps",
                    () -> (sleeps() ? looks.incrementAndGet() : looks.getAndSet(0)) > LOOKS);
        }

        private boolean sleeps() {
            var stack = thread.join().getStackTrace();
            return stack.length > 0 && List.of("wait", "park").contains(stack[0].getMethodName());
        }

        private int next(State state) throws Exception {
            var told = new Semaphore(0);
            var one = ByteBuffer.allocate(1);
            while (true) {
                int done = client.read(one);
                if (done != 0) {
                    return done < 0 ? done : one.get(0);
                }
                try {
                    state.await(client, told);
                } catch (InterruptedException _) {
                    Thread.currentThread().interrupt();
                }
                interrupted |= Thread.interrupted();
            }
        }

        Object got() throws Exception {
            return got.get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    @ParameterizedTest
    @MethodSource("states")
    void an_interrupt_wakes_it_and_nothing_is_lost(String stack, State state) throws Exception {
        connect(stack);
        for (int i = 0; i < 3; i++) {
            var reader = new Reader(state);
            reader.thread.join().interrupt();
            eventually("it is awake", () -> reader.interrupted);
            server.write(ByteBuffer.wrap(new byte[] {(byte) i}));
            assertThat(reader.got()).isEqualTo(i);
        }
    }

    @ParameterizedTest
    @MethodSource("states")
    void what_comes_after_each_wait_is_read(String stack, State state) throws Exception {
        connect(stack);
        for (int i = 0; i < 3; i++) {
            var reader = new Reader(state);
            server.write(ByteBuffer.wrap(new byte[] {(byte) i}));
            assertThat(reader.got()).isEqualTo(i);
        }
        for (var next : State.values()) {
            var reader = new Reader(next);
            server.write(ByteBuffer.wrap(new byte[] {9}));
            assertThat(reader.got()).as("then %s", next).isEqualTo(9);
        }
    }

    @ParameterizedTest
    @MethodSource("states")
    void the_end_of_the_other_side_is_read(String stack, State state) throws Exception {
        connect(stack);
        var reader = new Reader(state);
        server.endOutput();
        assertThat(reader.got()).isEqualTo(-1);
    }

    @ParameterizedTest
    @MethodSource("states")
    void a_close_by_the_other_side_is_read(String stack, State state) throws Exception {
        connect(stack);
        var reader = new Reader(state);
        server.close();
        assertThat(reader.got()).isEqualTo(-1);
    }

    @ParameterizedTest
    @MethodSource("states")
    void no_more_input_here_ends_the_wait(String stack, State state) throws Exception {
        connect(stack);
        var reader = new Reader(state);
        client.endInput();
        assertThat(reader.got()).isEqualTo(-1);
    }

    @ParameterizedTest
    @MethodSource("states")
    void a_close_here_ends_the_wait(String stack, State state) throws Exception {
        connect(stack);
        var reader = new Reader(state);
        client.close();
        fails(reader, Kind.CLOSED);
    }

    @ParameterizedTest
    @MethodSource("states")
    void a_reset_ends_the_wait(String stack, State state) throws Exception {
        connect(stack);
        var reader = new Reader(state);
        server.abort("enough");
        fails(reader, Kind.RESET);
    }

    @ParameterizedTest
    @MethodSource("states")
    void the_end_of_the_node_ends_the_wait(String stack, State state) throws Exception {
        connect(stack);
        var reader = new Reader(state);
        pair.one.close();
        fails(reader, Kind.CLOSED);
    }

    private static void fails(Reader reader, Kind kind) throws Exception {
        assertThat(reader.got())
                .isInstanceOfSatisfying(
                        VLinkFailed.class, e -> assertThat(e.kind()).isEqualTo(kind));
    }
}
