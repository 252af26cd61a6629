package org.ibidem.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.eventually;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.ibidem.accept.Listener;
import org.ibidem.arbitration.Threads;
import org.ibidem.connect.SocketPath;
import org.ibidem.handshake.Admission;
import org.ibidem.handshake.Handshake;
import org.ibidem.handshake.HandshakeRefused;
import org.ibidem.handshake.Hello;
import org.ibidem.handshake.Proved;
import org.ibidem.identity.Identity;
import org.ibidem.link.StreamPath;
import org.ibidem.peer.Purpose;
import org.ibidem.task.Tasks;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The connections that links share, between two who listen.
@Timeout(60)
class TrunksTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(60);

    private final Threads threads = new Threads("test");
    private final AtomicInteger looks = new AtomicInteger();
    private final End alice = new End();
    private final End bob = new End();
    private final List<SocketChannel> opened = new CopyOnWriteArrayList<>();

    /// As the threads are, and counts how often somebody looks for idle ones.
    private final class Counting implements Tasks {
        @Override
        public Task start(String name, Runnable body) {
            return threads.start(name, body);
        }

        @Override
        public Task after(Duration delay, String name, Runnable body) {
            return threads.after(
                    delay,
                    name,
                    () -> {
                        body.run();
                        if (name.contains("idle")) {
                            looks.incrementAndGet();
                        }
                    });
        }

        @Override
        public long nanoTime() {
            return threads.nanoTime();
        }
    }

    private final class End {
        final Listener listener =
                Listener.open(
                        0,
                        false,
                        new Handshake(Identity.create(), threads, Handshake.LIMIT),
                        threads);
        final LinkedBlockingQueue<Proved> visitors = new LinkedBlockingQueue<>();
        final AtomicInteger dialled = new AtomicInteger();
        final Trunks trunks = new Trunks(listener, (_, _) -> dial(), new Counting(), SHORT);
        volatile boolean welcome = true;

        /// The next one it makes has ended before it is used.
        volatile boolean deaf;

        volatile Runnable before = () -> {};

        /// What its connections go through, if anything.
        volatile @Nullable Wire wire;

        End() {
            listener.serve(
                    Purpose.SHARED,
                    (claimed, _) -> trunks.judge(claimed, _ -> welcome),
                    trunks::accept);
            listener.serve(Purpose.DATA, Admission.ALL, visitors::add);
        }

        End other() {
            return equals(alice) ? bob : alice;
        }

        Identity identity() {
            return listener.handshake().identity();
        }

        private Proved dial() {
            dialled.incrementAndGet();
            before.run();
            try {
                var there = other().listener.addresses().getFirst();
                var through = wire;
                var channel = SocketChannel.open(through == null ? there : through.towards(there));
                opened.add(channel);
                var hello = Hello.shared("demo", other().identity().id());
                if (deaf) {
                    deaf = false;
                    channel.shutdownInput();
                    return new Proved(
                            new SocketPath(channel), other().identity().key(), hello, 1, true);
                }
                return listener.handshake().initiate(new SocketPath(channel), hello);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /// Both ends of a stream to the other.
        Line open() throws IOException, InterruptedException {
            var peer = other().identity().id();
            var mine = trunks.dial(peer, Hello.data("demo", peer, "tcp", "key"), LONG);
            var theirs = other().visitors.poll(LONG.toSeconds(), TimeUnit.SECONDS);
            assertThat(theirs).isNotNull();
            assertThat(theirs.peer()).isEqualTo(identity().id());
            assertThat(mine.peer()).isEqualTo(peer);
            return new Line(mine.stream(), theirs.stream());
        }
    }

    private record Line(StreamPath mine, StreamPath theirs) implements AutoCloseable {
        void requireCarries() throws IOException {
            mine.write(ByteBuffer.wrap(new byte[] {7}));
            var got = ByteBuffer.allocate(1);
            theirs.read(got);
            assertThat(got.get(0)).isEqualTo((byte) 7);
        }

        @Override
        public void close() throws IOException {
            mine.close();
            theirs.close();
        }
    }

    private static CompletableFuture<Line> later(End end) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return end.open();
                    } catch (IOException | InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                },
                Thread::startVirtualThread);
    }

    @AfterEach
    void close() throws IOException {
        for (var end : List.of(alice, bob)) {
            end.trunks.close();
            end.listener.close();
        }
        for (var channel : opened) {
            channel.close();
        }
        threads.close();
    }

    @Test
    @Tag("slow")
    void many_who_need_one_at_once_make_one() throws Exception {
        var opening = new ArrayList<CompletableFuture<Line>>();
        for (int i = 0; i < 8; i++) {
            opening.add(later(alice));
        }
        for (var line : opening) {
            line.get(LONG.toSeconds(), TimeUnit.SECONDS);
        }
        assertThat(alice.dialled).hasValue(1);
        assertThat(alice.trunks.size()).isEqualTo(1);
    }

    @Test
    void the_end_that_was_connected_to_uses_it_too() throws Exception {
        try (var there = alice.open();
                var back = bob.open()) {
            there.requireCarries();
            back.requireCarries();
            assertThat(bob.dialled).hasValue(0);
            assertThat(bob.trunks.size()).isEqualTo(1);
        }
    }

    @Test
    void it_is_closed_after_a_time_without_streams_and_made_again() throws Exception {
        alice.open().close();
        eventually("it is closed", () -> alice.trunks.size() + bob.trunks.size() == 0);
        try (var again = alice.open()) {
            again.requireCarries();
            assertThat(alice.dialled).hasValue(2);
        }
    }

    @Test
    void it_is_kept_while_it_has_a_stream() throws Exception {
        try (var line = bob.open()) {
            int before = looks.get();
            eventually("somebody has looked often", () -> looks.get() > before + 10);
            line.requireCarries();
            assertThat(bob.trunks.size()).isEqualTo(1);
        }
    }

    @Test
    void of_two_made_at_the_same_moment_one_is_left() throws Exception {
        var both = new CyclicBarrier(2);
        alice.before = bob.before = () -> await(both);
        var one = later(alice);
        var other = later(bob);
        one.get(LONG.toSeconds(), TimeUnit.SECONDS).close();
        other.get(LONG.toSeconds(), TimeUnit.SECONDS).close();
        alice.before = bob.before = () -> {};
        assertThat(alice.dialled).hasValue(1);
        assertThat(bob.dialled).hasValue(1);
        try (var there = alice.open();
                var back = bob.open()) {
            eventually("one is left", () -> alice.trunks.size() == 1 && bob.trunks.size() == 1);
            there.requireCarries();
            back.requireCarries();
        }
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void one_that_has_just_ended_is_replaced() throws Exception {
        alice.deaf = true;
        try (var line = alice.open()) {
            line.requireCarries();
            assertThat(alice.dialled).hasValue(2);
        }
    }

    @Test
    void nobody_makes_one_to_whom_no_link_was_promised() {
        bob.welcome = false;
        assertThatThrownBy(alice::open)
                .isInstanceOf(HandshakeRefused.class)
                .hasMessageContaining("no data link that would need it was agreed on with you");
        assertThat(alice.trunks.size()).isZero();
        assertThat(bob.trunks.size()).isZero();
    }

    @Test
    @Tag("slow")
    void one_made_again_and_again_takes_the_place_of_the_one_before_the_last() throws Exception {
        alice.open().requireCarries();
        var hello = Hello.shared("demo", bob.identity().id());
        for (int i = 0; i < 3; i++) {
            var channel = SocketChannel.open(bob.listener.addresses().getFirst());
            opened.add(channel);
            alice.listener.handshake().initiate(new SocketPath(channel), hello);
        }
        eventually("the first was ended", () -> alice.trunks.size() == 0);
        eventually("the next, too", () -> bob.trunks.size() == 2);
    }

    /// Carries a connection until it is cut, and then swallows what comes.
    private final class Wire {
        volatile boolean cut;

        SocketAddress towards(SocketAddress there) throws IOException {
            var server = ServerSocketChannel.open();
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            threads.start(
                    "wire",
                    () -> {
                        try (server) {
                            var one = server.accept();
                            var other = SocketChannel.open(there);
                            opened.add(one);
                            opened.add(other);
                            threads.start("wire", () -> carry(one, other));
                            carry(other, one);
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    });
            return server.getLocalAddress();
        }

        private void carry(SocketChannel from, SocketChannel to) {
            var buffer = ByteBuffer.allocate(1 << 16);
            try {
                while (from.read(buffer.clear()) >= 0) {
                    buffer.flip();
                    while (!cut && buffer.hasRemaining()) {
                        to.write(buffer);
                    }
                }
                to.close();
            } catch (IOException _) {
                // the test is over, or an end has closed it
            }
        }
    }

    @Test
    @Tag("slow")
    void one_that_is_silent_is_replaced_long_before_it_counts_as_ended() throws Exception {
        var wire = new Wire();
        alice.wire = wire;
        var before = alice.open();
        before.requireCarries();
        wire.cut = true;
        alice.wire = null;
        long begin = System.nanoTime();
        try (var line = alice.open()) {
            assertThat(System.nanoTime() - begin).isLessThan(Duration.ofSeconds(10).toNanos());
            line.requireCarries();
            assertThat(alice.dialled).hasValue(2);
            wire.cut = false;
            before.requireCarries(); // its peer may only have been stopped
        }
    }

    /// Its process may be stopped: then nothing comes over another one either.
    @Test
    @Tag("slow")
    void one_that_is_silent_is_kept_where_no_other_comes_about() throws Exception {
        alice.wire = new Wire();
        var before = alice.open();
        var wire = alice.wire;
        wire.cut = true;
        alice.before =
                () -> {
                    wire.cut = false;
                    throw new IllegalStateException("it does not answer");
                };
        assertThatThrownBy(alice::open).hasMessageContaining("does not answer");
        assertThat(alice.trunks.size()).isEqualTo(1);
        before.requireCarries();
        try (var line = alice.open()) {
            line.requireCarries();
            assertThat(alice.dialled).hasValue(2);
        }
    }
}
