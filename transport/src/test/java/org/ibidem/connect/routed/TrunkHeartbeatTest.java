package org.ibidem.connect.routed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.Eventually.eventually;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.ibidem.arbitration.ManualClock;
import org.ibidem.arbitration.Threads;
import org.ibidem.connect.SocketPath;
import org.ibidem.link.StreamPath;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.Test;

class TrunkHeartbeatTest {
    private static final NodeId ME = new NodeId(1, 2);

    @Test
    void who_only_listens_says_now_and_then_that_it_is_there() throws Exception {
        var clock = new ManualClock();
        var visitors = new LinkedBlockingQueue<StreamPath>();
        try (var server = ServerSocketChannel.open();
                var threads = new Threads("test", clock)) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            var line = SocketChannel.open(server.getLocalAddress());
            try (var trunk = new Trunk(new SocketPath(line), ME, threads, visitors::add);
                    var hub = server.accept()) {
                threads.start("trunk", trunk::run);
                hub.write(ByteBuffer.wrap(RoutedFrames.open(2, new NodeId(3, 4), 1)));
                var grant = RoutedFrames.grant(2, RoutedStream.WINDOW);
                assertThat(read(hub, grant.length)).isEqualTo(grant);
                try (var stream = visitors.take()) {
                    for (int second = 0; second < 12; second++) {
                        hub.write(data(2));
                        assertThat(read(stream, 1)).hasSize(1);
                        clock.advance(Duration.ofSeconds(1));
                    }
                    var ping = RoutedFrames.bare(RoutedFrames.PING, 0);
                    hub.configureBlocking(false);
                    var said = ByteBuffer.allocate(ping.length);
                    eventually("it says something", () -> full(said, hub));
                    assertThat(said.array()).isEqualTo(ping);
                }
            }
        }
    }

    /// A process that is stopped and goes on, a machine that slept.
    @Test
    void who_stood_still_itself_has_not_listened_and_calls_nobody_silent() throws Exception {
        var clock = new ManualClock();
        try (var server = ServerSocketChannel.open();
                var threads = new Threads("test", clock)) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            var line = SocketChannel.open(server.getLocalAddress());
            try (var trunk = new Trunk(new SocketPath(line), ME, threads, _ -> {});
                    var hub = server.accept()) {
                threads.start("trunk", trunk::run);
                eventually("it reads, and its heart beats", () -> threads.size() == 2);
                clock.advance(Duration.ofSeconds(60));
                var ping = RoutedFrames.bare(RoutedFrames.PING, 0);
                assertThat(read(hub, ping.length)).as("it asks").isEqualTo(ping);
                assertThat(trunk.ending()).isNull();
                for (int beat = 0; beat < 2; beat++) { // each is set before the word is said
                    clock.advance(Duration.ofSeconds(5));
                    assertThat(read(hub, ping.length)).isEqualTo(ping);
                    assertThat(trunk.ending()).isNull();
                }
                clock.advance(Duration.ofSeconds(5));
                eventually("who listens again hears nothing", () -> trunk.ending() != null);
                assertThat(trunk.ending()).isEqualTo("the hub was silent for 75 s");
            }
        }
    }

    /// Its program may hold all carriers, by which it would answer.
    @Test
    void a_silent_peer_that_is_heard_elsewhere_keeps_its_trunk() throws Exception {
        var clock = new ManualClock();
        var elsewhere = new AtomicReference<>(Duration.ZERO);
        var ends = new TrunkEnds(ME, new NodeId(3, 4), true, elsewhere::get);
        try (var server = ServerSocketChannel.open();
                var threads = new Threads("test", clock)) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            var line = SocketChannel.open(server.getLocalAddress());
            try (var trunk = new Trunk(new SocketPath(line), ends, threads, _ -> {});
                    var peer = server.accept()) {
                threads.start("trunk", trunk::run);
                eventually("it reads, and its heart beats", () -> threads.size() == 2);
                var ping = RoutedFrames.bare(RoutedFrames.PING, 0);
                for (int beat = 0; beat < 5; beat++) { // each is set before the word is said
                    clock.advance(Duration.ofSeconds(5));
                    assertThat(read(peer, ping.length)).isEqualTo(ping);
                    assertThat(trunk.ending()).isNull();
                }
                elsewhere.set(Duration.ofSeconds(15));
                clock.advance(Duration.ofSeconds(5));
                eventually("it is heard nowhere", () -> trunk.ending() != null);
                assertThat(trunk.ending()).endsWith("was silent for 30 s");
            }
        }
    }

    private static ByteBuffer data(int stream) {
        return ByteBuffer.allocate(RoutedFrames.HEADER + 1)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(RoutedFrames.word(RoutedFrames.DATA, 1))
                .putInt(stream)
                .rewind();
    }

    private static byte[] read(ReadableByteChannel from, int bytes) throws IOException {
        var in = ByteBuffer.allocate(bytes);
        while (in.hasRemaining() && from.read(in) >= 0) {
            // until it is full or ends
        }
        return Arrays.copyOf(in.array(), in.position());
    }

    private static boolean full(ByteBuffer into, SocketChannel from) {
        try {
            from.read(into);
            return !into.hasRemaining();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
