package org.ibidem.connect.routed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.eventually;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.ibidem.arbitration.Threads;
import org.ibidem.connect.SocketPath;
import org.ibidem.link.StreamPath;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A trunk between two nodes.
@Timeout(60)
class TrunkTest {
    private static final NodeId ME = new NodeId(1, 1);
    private static final NodeId YOU = new NodeId(2, 2);
    private static final Duration LONG = Duration.ofSeconds(20);

    /// Of a stream that nobody reads: its window at the other end, its queue at this one.
    private static final long MOST_KEPT = (1 << 20) + (256 << 10);

    private static final int STREAMS = 64;

    /// What one stream lets wait, four frames; a turn of all streams is more than buffers hold.
    private static final int WAITING = 64 << 10;

    private final Threads threads = new Threads("test");
    private final BlockingQueue<StreamPath> visitors = new LinkedBlockingQueue<>();
    private final SocketChannel line;
    private final SocketChannel far;
    private final Trunk trunk;

    TrunkTest() throws IOException {
        try (var server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            line = SocketChannel.open(server.getLocalAddress());
            far = server.accept();
        }
        trunk =
                new Trunk(
                        new SocketPath(line), new TrunkEnds(ME, YOU, true), threads, visitors::add);
        threads.start("trunk", trunk::run);
    }

    @AfterEach
    void close() throws IOException {
        trunk.close();
        far.close();
        threads.close();
    }

    /// The honest other end.
    private Trunk other() {
        var other =
                new Trunk(
                        new SocketPath(far), new TrunkEnds(YOU, ME, false), threads, visitors::add);
        threads.start("trunk", other::run);
        return other;
    }

    private StreamPath visitor() throws InterruptedException {
        var visitor = visitors.poll(LONG.toSeconds(), TimeUnit.SECONDS);
        assertThat(visitor).isNotNull();
        return visitor;
    }

    private void say(byte[] frame) throws IOException {
        far.write(ByteBuffer.wrap(frame));
    }

    private void requireEnds(String why) {
        eventually("it has ended", () -> trunk.ending() != null);
        assertThat(trunk.ending()).isEqualTo(why);
        eventually("nothing is kept", () -> trunk.size() == 0);
        eventually("it has hung up", () -> !line.isOpen());
    }

    private static byte[] read(ReadableByteChannel from, int bytes) throws IOException {
        var in = ByteBuffer.allocate(bytes);
        while (in.hasRemaining() && from.read(in) >= 0) {
            // until it is full or ends
        }
        return Arrays.copyOf(in.array(), in.position());
    }

    @Test
    void both_ends_open_streams() throws Exception {
        var other = other();
        var mine = trunk.open(YOU, LONG);
        assertThat(visitor().remote())
                .hasToString("node " + ME.brief() + " over a shared connection");
        var theirs = other.open(ME, LONG);
        var here = visitor();
        theirs.write(ByteBuffer.wrap(new byte[] {1, 2}));
        assertThat(read(here, 2)).containsExactly(1, 2);
        mine.close();
        theirs.close();
        here.close();
        eventually("nothing is kept", () -> trunk.size() == 0 && other.size() == 0);
        assertThat(trunk.carried()).isEqualTo(2);
    }

    /// As with sockets: it is the wait that an interrupt ends.
    @Test
    void a_thread_that_was_interrupted_may_look_and_write_without_waiting() throws Exception {
        other();
        var mine = trunk.open(YOU, LONG);
        var theirs = visitor();
        mine.blocking(false);
        Thread.currentThread().interrupt();
        assertThat(mine.read(ByteBuffer.allocate(1))).isZero();
        assertThat(mine.write(ByteBuffer.wrap(new byte[] {7}))).isEqualTo(1);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(read(theirs, 1)).containsExactly(7);
        assertThat(mine.isOpen()).isTrue();
    }

    @Test
    @Tag("slow")
    void a_stream_nobody_reads_holds_up_itself_alone() throws Exception {
        other();
        var slow = trunk.open(YOU, LONG);
        visitor();
        slow.blocking(false);
        var much = ByteBuffer.allocate(1 << 20);
        var taken = new AtomicLong();
        eventually("its credit is used up", () -> taken.addAndGet(write(slow, much)) >= MOST_KEPT);
        var quick = trunk.open(YOU, LONG);
        var reader = visitor();
        for (int i = 0; i < 100; i++) {
            quick.write(ByteBuffer.wrap(new byte[100_000]));
            assertThat(read(reader, 100_000)).hasSize(100_000);
        }
        assertThat(write(slow, much)).isZero();
        assertThat(taken).hasValue(MOST_KEPT);
    }

    private static int write(StreamPath to, ByteBuffer bytes) {
        try {
            return to.write(bytes.clear());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /// Of one that nobody at this end reads.
    private int window(int number) throws IOException {
        say(RoutedFrames.open(number, YOU, 1 << 20));
        var grant = ByteBuffer.allocate(12).order(ByteOrder.LITTLE_ENDIAN);
        while (grant.hasRemaining()) {
            assertThat(far.read(grant)).isPositive();
        }
        grant.flip();
        assertThat(grant.getInt()).isEqualTo(RoutedFrames.word(RoutedFrames.GRANT, 4));
        assertThat(grant.getInt()).isEqualTo(number);
        return grant.getInt();
    }

    @Test
    @Tag("slow")
    void many_streams_have_less_kept_for_each() throws Exception {
        long all = 0;
        int least = Integer.MAX_VALUE;
        for (int i = 1; i <= 16_384; i++) {
            int window = window(2 * i);
            assertThat(window).isEqualTo(i <= 16 ? 1 << 20 : (16 << 20) / i);
            least = Math.min(least, window);
            all += window;
        }
        assertThat(least).isEqualTo(1024);
        assertThat(all).isLessThan(130L << 20);
    }

    @Test
    void what_was_said_before_an_end_in_order_is_heard() throws Exception {
        var other = other();
        var mine = trunk.open(YOU, LONG);
        var reader = visitor();
        mine.write(ByteBuffer.wrap(new byte[200_000]));
        mine.close();
        trunk.finish(LONG);
        assertThat(read(reader, 200_001)).hasSize(200_000);
        eventually("the other end knows", () -> other.ending() != null);
        assertThat(other.ending()).isEqualTo("node " + ME.brief() + " has ended it");
    }

    @Test
    void a_peer_that_dies_ends_all_its_streams_and_what_came_is_read_first() throws Exception {
        say(RoutedFrames.open(2, YOU, 1 << 20));
        say(RoutedFrames.open(4, YOU, 1 << 20));
        var one = visitor();
        var two = visitor();
        say(new byte[] {3, 0, 0, RoutedFrames.DATA, 4, 0, 0, 0, 7, 8, 9});
        var grants = 2 * RoutedFrames.grant(2, 0).length;
        assertThat(read(far, grants)).hasSize(grants); // else the system says reset
        far.close();
        assertThatThrownBy(() -> one.read(ByteBuffer.allocate(1)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("node " + YOU.brief());
        assertThat(read(two, 3)).containsExactly(7, 8, 9);
        assertThatThrownBy(() -> two.read(ByteBuffer.allocate(1)))
                .hasMessageContaining("node " + YOU.brief());
    }

    @Test
    void a_stream_that_is_not_the_peers_to_open_ends_it() throws Exception {
        say(RoutedFrames.open(1, YOU, 1 << 20));
        requireEnds(
                "node %s sent garbage: stream 1 is not for node %s to open"
                        .formatted(YOU.brief(), YOU.brief()));
    }

    @Test
    void a_stream_of_somebody_else_ends_it() throws Exception {
        var stranger = new NodeId(3, 3);
        say(RoutedFrames.open(2, stranger, 1 << 20));
        requireEnds(
                "node %s sent garbage: a stream of node %s, which is not there"
                        .formatted(YOU.brief(), stranger.brief()));
        assertThat(visitors).isEmpty();
    }

    @Test
    void more_than_was_granted_ends_it() throws Exception {
        say(RoutedFrames.open(2, YOU, 1 << 20));
        var victim = visitor();
        var data = ByteBuffer.allocate(8 + (16 << 10)).order(ByteOrder.LITTLE_ENDIAN);
        data.putInt(RoutedFrames.word(RoutedFrames.DATA, 16 << 10)).putInt(2);
        for (int i = 0; i <= 64 && trunk.ending() == null; i++) {
            far.write(data.rewind().limit(data.capacity()));
        }
        requireEnds(
                "node %s sent garbage: more came on stream 2 than was granted, or after its end"
                        .formatted(YOU.brief()));
        assertThat(read(victim, 1 << 20)).hasSize(1 << 20);
    }

    /// A far end that reads nothing for a while, and then looks what came in which order.
    @Test
    void what_is_said_to_the_hub_goes_before_data_that_waits() throws Exception {
        try (var server = ServerSocketChannel.open()) {
            server.setOption(StandardSocketOptions.SO_RCVBUF, 8 << 10);
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            var near = SocketChannel.open();
            near.setOption(StandardSocketOptions.SO_SNDBUF, 8 << 10);
            near.connect(server.getLocalAddress());
            var hub = server.accept();
            try (var toHub = new Trunk(new SocketPath(near), ME, threads, visitors::add)) {
                threads.start("trunk", toHub::run);
                threads.start("hub", () -> grantAll(hub));
                var own = toHub.openToHub(YOU, LONG);
                var streams = new ArrayList<StreamPath>();
                for (int i = 0; i < STREAMS; i++) {
                    streams.add(toHub.open(ME, LONG));
                }
                for (var stream : streams) {
                    stream.write(ByteBuffer.allocate(WAITING));
                }
                own.write(ByteBuffer.wrap(new byte[] {7}));
                assertThat(dataBefore(hub, 1)).isLessThan(STREAMS * RoutedFrames.MOST_DATA / 2);
            }
            hub.close();
        }
    }

    /// Takes the stream to the hub, and all others.
    private static void grantAll(SocketChannel hub) {
        try {
            for (int i = 0; i <= STREAMS; i++) {
                read(hub, RoutedFrames.HEADER + RoutedFrames.OPEN_BYTES);
                hub.write(ByteBuffer.wrap(RoutedFrames.grant(2 * i + 1, 1 << 20)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Bytes of data that come before the first of this stream.
    private static int dataBefore(SocketChannel from, int stream) throws IOException {
        int before = 0;
        while (true) {
            var header =
                    ByteBuffer.wrap(read(from, RoutedFrames.HEADER)).order(ByteOrder.LITTLE_ENDIAN);
            int word = header.getInt();
            boolean data = RoutedFrames.kind(word) == RoutedFrames.DATA;
            if (data && header.getInt() == stream) {
                return before;
            }
            read(from, RoutedFrames.length(word));
            before += data ? RoutedFrames.length(word) : 0;
        }
    }

    /// As after a year of opening them.
    @Test
    void numbers_that_come_round_pass_over_streams_in_use() throws Exception {
        var other = other();
        var first = trunk.open(YOU, LONG);
        var firstThere = visitor();
        var theirs = other.open(ME, LONG);
        var theirsHere = visitor();
        trunk.numbers().goOnFrom(Integer.MAX_VALUE);
        other.numbers().goOnFrom(Integer.MAX_VALUE - 1);
        for (int i = 0; i < 4; i++) {
            trunk.open(YOU, LONG).write(ByteBuffer.wrap(new byte[] {(byte) i}));
            assertThat(read(visitor(), 1)).containsExactly(i);
            other.open(ME, LONG).write(ByteBuffer.wrap(new byte[] {(byte) i}));
            assertThat(read(visitor(), 1)).containsExactly(i);
        }
        first.write(ByteBuffer.wrap(new byte[] {42}));
        assertThat(read(firstThere, 1)).containsExactly(42);
        theirs.write(ByteBuffer.wrap(new byte[] {43}));
        assertThat(read(theirsHere, 1)).containsExactly(43);
        assertThat(trunk.ending()).isNull();
    }
}
