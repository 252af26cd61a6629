package org.ibidem.hub.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.ibidem.arbitration.Threads;
import org.ibidem.connect.SocketPath;
import org.ibidem.connect.routed.RoutedFrames;
import org.ibidem.handshake.Hello;
import org.ibidem.handshake.Proved;
import org.ibidem.identity.Identity;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The relay's threads by a clock that is moved by hand.
class LoopTest {
    private static final Duration SILENCE = Duration.ofSeconds(20);
    private static final NodeId HUB = Identity.create().id();
    private static final int HEADER = RoutedFrames.HEADER;

    private final AtomicLong time = new AtomicLong();
    private final AtomicBoolean broken = new AtomicBoolean();
    private volatile boolean gravely;
    private final Threads threads = new Threads("test", this::now);

    @AfterEach
    void close() {
        threads.close();
    }

    /// Fails once in a thread that reads, if told to.
    private long now() {
        if (broken.get()
                && Arrays.stream(Thread.currentThread().getStackTrace())
                        .anyMatch(frame -> frame.getMethodName().equals("read"))
                && broken.compareAndSet(true, false)) {
            if (gravely) {
                throw new AssertionError("broken for a test");
            }
            throw new IllegalStateException("broken for a test");
        }
        return time.get();
    }

    private Relay relay(long rate) {
        var limits = new Limits(9, 99, 1 << 20, 1 << 20, SILENCE, rate, 0, Duration.ZERO, Set.of());
        return new Relay(limits, threads, HUB, (_, _) -> {});
    }

    private static SocketChannel line(Relay relay, Identity who) throws IOException {
        return connected(relay, who, relay::join);
    }

    private static SocketChannel connected(Relay relay, Identity who, Consumer<Spoke> then)
            throws IOException {
        try (var server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            var mine = SocketChannel.open(server.getLocalAddress());
            var hello = Hello.routed("demo", who.id());
            then.accept(
                    relay.take(
                            new Proved(
                                    new SocketPath(server.accept()), who.key(), hello, 1, false)));
            return mine;
        }
    }

    private static void write(SocketChannel to, byte[] bytes) throws IOException {
        for (var out = ByteBuffer.wrap(bytes); out.hasRemaining(); ) {
            to.write(out);
        }
    }

    private static byte[] read(SocketChannel from, int bytes) throws IOException {
        var in = ByteBuffer.allocate(bytes);
        while (in.hasRemaining() && from.read(in) >= 0) {
            // until it is full or ends
        }
        return Arrays.copyOf(in.array(), in.position());
    }

    private static byte[] data(int stream, int bytes) {
        return ByteBuffer.allocate(HEADER + bytes)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(RoutedFrames.word(RoutedFrames.DATA, bytes))
                .putInt(stream)
                .array();
    }

    private static byte[] joined(byte[] one, byte[] other) {
        return ByteBuffer.allocate(one.length + other.length).put(one).put(other).array();
    }

    private static byte[] ping() {
        return RoutedFrames.bare(RoutedFrames.PING, 0);
    }

    private static byte[] pong() {
        return RoutedFrames.bare(RoutedFrames.PONG, 0);
    }

    @Test
    @Tag("slow")
    void who_has_to_rest_for_longer_than_the_silence_is_read_from_again() throws Exception {
        try (var relay = relay(10)) { // 1 KiB takes more than 100 s
            var line = line(relay, Identity.create());
            var pings = ByteBuffer.allocate(256 * HEADER);
            while (pings.hasRemaining()) {
                pings.put(ping());
            }
            write(line, pings.array());
            // What is read at once is 1 KiB; the rest has to wait.
            assertThat(read(line, 128 * HEADER)).hasSize(128 * HEADER);
            time.addAndGet(Duration.ofSeconds(200).toNanos());
            assertThat(read(line, 128 * HEADER)).hasSize(128 * HEADER);
        }
    }

    @Test
    @Tag("slow")
    void who_has_to_rest_hears_meanwhile_that_the_hub_lives() throws Exception {
        try (var relay = relay(10)) {
            var line = line(relay, Identity.create());
            // Data of no stream is dropped, but counted. The ping comes with it: what comes later
            // is not read for long.
            write(line, joined(data(1, 1024 - 2 * HEADER), ping()));
            assertThat(read(line, HEADER)).isEqualTo(pong());
            for (int i = 0; i < 3; i++) {
                time.addAndGet(Duration.ofSeconds(5).toNanos());
                assertThat(read(line, HEADER)).isEqualTo(ping());
            }
        }
    }

    @Test
    @Tag("slow")
    void who_neither_joins_nor_speaks_with_the_hub_is_hung_up() throws Exception {
        try (var relay = relay(0)) {
            var who = Identity.create();
            var line = connected(relay, who, _ -> {});
            write(line, ping());
            assertThat(read(line, HEADER)).isEqualTo(pong());
            time.addAndGet(Duration.ofSeconds(9).toNanos());
            write(line, ping());
            assertThat(read(line, HEADER)).isEqualTo(pong());
            time.addAndGet(Duration.ofSeconds(2).toNanos());
            assertThat(read(line, 1)).isEmpty();
        }
    }

    /// A stopped process is not gone.
    @Test
    @Tag("slow")
    void who_speaks_with_the_hub_and_falls_silent_loses_its_streams_and_not_its_connection()
            throws Exception {
        try (var relay = relay(0)) {
            var who = Identity.create();
            var silent = line(relay, who);
            write(silent, RoutedFrames.open(1, HUB, 1000));
            assertThat(frame(silent)).isEqualTo(RoutedFrames.GRANT);
            var other = line(relay, Identity.create());
            write(other, RoutedFrames.open(1, who.id(), 1000));
            assertThat(frame(silent)).isEqualTo(RoutedFrames.OPEN);
            write(silent, RoutedFrames.grant(2, 10));
            assertThat(frame(other)).isEqualTo(RoutedFrames.GRANT);
            time.addAndGet(Duration.ofSeconds(15).toNanos());
            write(other, ping());
            assertThat(frame(other)).isEqualTo(RoutedFrames.PONG);
            time.addAndGet(Duration.ofSeconds(6).toNanos());
            assertThat(frame(other)).isEqualTo(RoutedFrames.RESET);
            assertThat(frame(silent)).isEqualTo(RoutedFrames.RESET);
            write(silent, ping());
            assertThat(frame(silent)).isEqualTo(RoutedFrames.PONG);
        }
    }

    /// The kind of the next frame, or -1.
    private static int frame(SocketChannel from) throws IOException {
        var header = read(from, HEADER);
        if (header.length < HEADER) {
            return -1;
        }
        int word = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN).getInt();
        read(from, RoutedFrames.length(word));
        return RoutedFrames.kind(word);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_fault_in_serving_one_node_ends_that_one_and_no_other(boolean error) throws Exception {
        gravely = error;
        try (var relay = relay(0)) {
            var first = line(relay, Identity.create());
            var second = line(relay, Identity.create());
            var third = line(relay, Identity.create()); // read by the same thread as the first
            broken.set(true);
            write(first, ping());
            assertThat(read(first, 1)).isEmpty();
            for (var line : new SocketChannel[] {second, third}) {
                write(line, ping());
                assertThat(read(line, HEADER)).isEqualTo(pong());
            }
        }
    }
}
