package org.ibidem.hub.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.WritableByteChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.ibidem.arbitration.Threads;
import org.ibidem.connect.SocketPath;
import org.ibidem.connect.routed.HubStream;
import org.ibidem.connect.routed.RoutedFrames;
import org.ibidem.connect.routed.Trunk;
import org.ibidem.control.Ending;
import org.ibidem.handshake.Hello;
import org.ibidem.handshake.Proved;
import org.ibidem.identity.Identity;
import org.ibidem.link.StreamPath;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class RelayTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final NodeId HUB = Identity.create().id();

    private final Threads threads = new Threads("test");
    private final Relay relay = new Relay(Limits.DEFAULT, threads, HUB, (_, _) -> {});

    private static Limits limits(int spokes, int streams, Duration silence) {
        int memory = 1 << 20;
        return new Limits(spokes, streams, memory, memory, silence, 0, 0, Duration.ZERO, Set.of());
    }

    @AfterEach
    void close() {
        relay.close();
        threads.close();
    }

    /// A node that is connected to the relay.
    private final class Member {
        final Identity identity = Identity.create();
        final BlockingQueue<StreamPath> visitors = new LinkedBlockingQueue<>();
        final SocketChannel line;
        final Trunk trunk;

        Member() throws IOException {
            line = line(identity);
            trunk = new Trunk(new SocketPath(line), identity.id(), threads, visitors::add);
            threads.start("trunk", trunk::run);
        }

        NodeId id() {
            return identity.id();
        }

        StreamPath visitor() throws InterruptedException {
            var visitor = visitors.poll(LONG.toSeconds(), TimeUnit.SECONDS);
            assertThat(visitor).isNotNull();
            return visitor;
        }
    }

    /// A connection of this node to the relay, which serves it.
    private SocketChannel line(Identity who) throws IOException {
        return line(relay, who);
    }

    private static SocketChannel line(Relay relay, Identity who) throws IOException {
        try (var server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            var mine = SocketChannel.open(server.getLocalAddress());
            var hello = Hello.routed("demo", who.id());
            relay.join(
                    relay.take(
                            new Proved(
                                    new SocketPath(server.accept()), who.key(), hello, 1, false)));
            return mine;
        }
    }

    private static byte[] noise(int bytes, long seed) {
        var noise = new byte[bytes];
        new Random(seed).nextBytes(noise);
        return noise;
    }

    private static void write(WritableByteChannel to, byte[] bytes) throws IOException {
        for (var out = ByteBuffer.wrap(bytes); out.hasRemaining(); ) {
            to.write(out);
        }
    }

    private static byte[] read(ReadableByteChannel from, int bytes) throws IOException {
        var in = ByteBuffer.allocate(bytes);
        while (in.hasRemaining() && from.read(in) >= 0) {
            // until it is full or ends
        }
        return Arrays.copyOf(in.array(), in.position());
    }

    private CompletableFuture<Void> later(Writing body) {
        var done = new CompletableFuture<Void>();
        threads.start(
                "later",
                () -> {
                    try {
                        body.run();
                        done.complete(null);
                    } catch (Exception e) {
                        done.completeExceptionally(e);
                    }
                });
        return done;
    }

    private interface Writing {
        void run() throws Exception;
    }

    @Test
    void carries_bytes_both_ways_and_ends_each_by_itself() throws Exception {
        var one = new Member();
        var other = new Member();
        var mine = one.trunk.open(other.id(), LONG);
        var theirs = other.visitor();
        var there = noise(5_000_000, 1);
        var back = noise(3_000_000, 2);
        var sent =
                later(() -> {
                    write(mine, there);
                    mine.end();
                });
        var sentBack = later(() -> write(theirs, back));
        assertThat(read(theirs, there.length + 1)).isEqualTo(there);
        assertThat(read(mine, back.length)).isEqualTo(back);
        sent.get();
        sentBack.get();
        write(theirs, new byte[] {7});
        assertThat(read(mine, 1)).containsExactly(7);
        theirs.close();
        assertThat(mine.read(ByteBuffer.allocate(1))).isEqualTo(-1);
    }

    @Test
    void a_reader_that_does_not_read_stops_nobody_but_its_writer() throws Exception {
        var one = new Member();
        var other = new Member();
        var slow = one.trunk.open(other.id(), LONG);
        var idle = other.visitor();
        slow.blocking(false);
        var full = ByteBuffer.allocate(64 << 10);
        int inVain = 0;
        long taken = 0;
        while (inVain < 1000) { // until nothing more goes, for a while
            int now = slow.write(full.clear());
            taken += now;
            inVain = now == 0 ? inVain + 1 : 0;
            Thread.onSpinWait();
        }
        var lively = one.trunk.open(other.id(), LONG);
        var reader = other.visitor();
        var bytes = noise(4_000_000, 3);
        var sent = later(() -> write(lively, bytes));
        assertThat(read(reader, bytes.length)).isEqualTo(bytes);
        sent.get();
        assertThat(taken).isLessThan(4 << 20);
        assertThat(idle.isOpen()).isTrue();
    }

    @Test
    @Tag("slow")
    void many_streams_come_through_whole_with_little_room_each() throws Exception {
        var one = new Member();
        var other = new Member();
        int streams = 300;
        var all = new CompletableFuture<?>[2 * streams];
        for (int i = 0; i < streams; i++) {
            int seed = i;
            var mine = one.trunk.open(other.id(), LONG);
            var theirs = other.visitor();
            all[2 * i] = later(() -> write(mine, noise(200_000, seed)));
            all[2 * i + 1] =
                    later(() -> assertThat(read(theirs, 200_000)).isEqualTo(noise(200_000, seed)));
        }
        CompletableFuture.allOf(all).get(60, TimeUnit.SECONDS);
    }

    @Test
    void says_that_a_node_is_not_there() throws Exception {
        var one = new Member();
        var stranger = Identity.create().id();
        assertThatThrownBy(() -> one.trunk.open(stranger, LONG))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(stranger.brief())
                .hasMessageContaining("no connection to this hub");
    }

    @Test
    void the_end_of_a_node_ends_its_streams_at_the_others_behind_what_it_sent() throws Exception {
        var one = new Member();
        var other = new Member();
        var mine = one.trunk.open(other.id(), LONG);
        var theirs = other.visitor();
        write(mine, noise(10_000, 4));
        assertThat(read(theirs, 10_000)).isEqualTo(noise(10_000, 4));
        one.line.close();
        assertThatThrownBy(() -> theirs.read(ByteBuffer.allocate(1)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(one.id().brief())
                .hasMessageContaining("lost its connection to the hub");
    }

    @Test
    void a_close_tells_the_other_end_that_still_writes() throws Exception {
        var one = new Member();
        var other = new Member();
        var mine = one.trunk.open(other.id(), LONG);
        var theirs = other.visitor();
        write(mine, noise(1000, 5));
        mine.close();
        assertThat(read(theirs, 1001)).isEqualTo(noise(1000, 5));
        assertThatThrownBy(
                        () -> {
                            while (true) {
                                theirs.write(ByteBuffer.allocate(1000));
                            }
                        })
                .isInstanceOf(IOException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void who_sends_more_than_granted_or_garbage_is_cut_and_nobody_else() throws Exception {
        var one = new Member();
        var other = new Member();
        var mine = one.trunk.open(other.id(), LONG);
        var theirs = other.visitor();
        var greedy = Identity.create();
        var line = line(greedy);
        write(line, RoutedFrames.open(1, other.id(), 1 << 20));
        other.visitor();
        var data = ByteBuffer.allocate(8 + RoutedFrames.MOST_DATA).order(ByteOrder.LITTLE_ENDIAN);
        data.putInt(RoutedFrames.word(RoutedFrames.DATA, RoutedFrames.MOST_DATA)).putInt(1);
        assertThatThrownBy(
                        () -> {
                            for (int i = 0; i < 100_000; i++) {
                                write(line, data.array());
                            }
                        })
                .isInstanceOf(IOException.class);
        var babbler = line(Identity.create());
        write(babbler, noise(100, 6));
        var into = ByteBuffer.allocate(1);
        int end;
        try {
            end = babbler.read(into);
        } catch (IOException _) {
            end = -1; // reset: it had sent more than was read
        }
        assertThat(end).isEqualTo(-1);
        write(mine, new byte[] {1, 2});
        assertThat(read(theirs, 2)).containsExactly(1, 2);
    }

    @Test
    void what_a_breaker_of_the_rules_sent_before_harms_nobody_who_is_read_next() throws Exception {
        var reader = new Member();
        var breaker = line(Identity.create());
        write(breaker, RoutedFrames.open(1, reader.id(), 1 << 20));
        reader.visitor();
        read(breaker, RoutedFrames.grant(1, 1).length); // it may send now
        var both = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN);
        both.putInt(RoutedFrames.word(RoutedFrames.DATA, 8)).putInt(1).putLong(0);
        write(breaker, both.putLong(-1).array());
        assertThat(read(breaker, 1)).isEmpty();
        for (int i = 0; i < 2; i++) { // one of them is read by the same thread
            var innocent = new Member();
            var other = new Member();
            var mine = innocent.trunk.open(other.id(), LONG);
            write(mine, noise(100_000, i));
            assertThat(read(other.visitor(), 100_000)).isEqualTo(noise(100_000, i));
        }
        var last = new Member().trunk.open(reader.id(), LONG);
        write(last, new byte[] {3});
        assertThat(read(reader.visitor(), 1)).containsExactly(3);
        assertThat(reader.trunk.ending()).isNull();
    }

    @Test
    @Tag("slow")
    void who_does_not_listen_is_hung_up_before_what_it_is_told_fills_the_hub() throws Exception {
        var patient = limits(2, 4096, Duration.ofHours(1));
        try (var relay = new Relay(patient, threads, HUB, (_, _) -> {})) {
            var deaf = Identity.create();
            var line = line(relay, deaf);
            var talker = line(relay, Identity.create());
            var answer = ByteBuffer.allocate(RoutedFrames.HEADER).order(ByteOrder.LITTLE_ENDIAN);
            var batch = ByteBuffer.allocate(1 << 20);
            for (int number = 1; number < 600_000 && answer.position() == 0; number += 2) {
                batch.put(RoutedFrames.open(number, deaf.id(), 1));
                batch.put(RoutedFrames.reset(number, "changed its mind"));
                if (batch.remaining() < 100) {
                    write(talker, Arrays.copyOf(batch.array(), batch.position()));
                    batch.clear();
                    talker.configureBlocking(false);
                    talker.read(answer);
                    talker.configureBlocking(true);
                }
            }
            write(talker, RoutedFrames.bare(RoutedFrames.PING, 0));
            while (answer.hasRemaining() && talker.read(answer) >= 0) {
                // that it cannot be opened is answered, that it can be is not
            }
            assertThat(RoutedFrames.kind(answer.getInt(0))).isEqualTo(RoutedFrames.RESET);
            assertThat(line.isOpen()).isTrue();
        }
    }

    @Test
    void a_node_that_comes_again_takes_the_place_of_its_lost_connection() throws Exception {
        var one = new Member();
        var other = new Member();
        one.trunk.open(other.id(), LONG);
        other.visitor();
        var again = line(other.identity);
        var visitors = new LinkedBlockingQueue<StreamPath>();
        var trunk = new Trunk(new SocketPath(again), other.id(), threads, visitors::add);
        threads.start("trunk", trunk::run);
        var mine = one.trunk.open(other.id(), LONG);
        write(mine, new byte[] {9});
        assertThat(read(visitors.take(), 1)).containsExactly(9);
        assertThat(relay.size()).isEqualTo(2);
    }

    @Test
    void a_node_that_comes_again_is_carried_where_there_is_no_room_for_another() throws Exception {
        var small = limits(1, 9, LONG);
        try (var relay = new Relay(small, threads, HUB, (_, _) -> {})) {
            var who = Identity.create();
            var before = line(relay, who);
            var again = line(relay, who);
            var another = line(relay, Identity.create());
            write(again, RoutedFrames.open(1, who.id(), 10));
            assertThat(kind(again)).isEqualTo(RoutedFrames.OPEN);
            write(another, RoutedFrames.open(1, who.id(), 10));
            assertThat(kind(another)).isEqualTo(RoutedFrames.RESET);
            assertThat(read(before, 1)).isEmpty();
        }
    }

    private static int kind(SocketChannel from) throws IOException {
        var header = ByteBuffer.wrap(read(from, RoutedFrames.HEADER));
        return RoutedFrames.kind(header.order(ByteOrder.LITTLE_ENDIAN).getInt());
    }

    /// One at which the hub itself gets the stream of who speaks to it.
    private Relay meeting(CompletableFuture<StreamPath> met) {
        return new Relay(
                Limits.DEFAULT, threads, HUB, (visitor, _) -> met.complete(visitor.stream()));
    }

    /// A writer that fails must leave it to the reader what has become of the node: its end is a
    /// proof of death.
    @Test
    void what_is_said_to_a_node_whose_process_has_ended_fails_as_writes_to_ended_connections_do()
            throws Exception {
        var met = new CompletableFuture<StreamPath>();
        try (var relay = meeting(met)) {
            var node = line(relay, Identity.create());
            write(node, RoutedFrames.open(1, HUB, 1 << 20));
            var hub = met.get();
            read(node, RoutedFrames.grant(1, 1).length);
            node.close();
            assertThat(hub.read(ByteBuffer.allocate(1))).isEqualTo(-1);
            assertThat(Ending.wasOver(failure(hub))).isTrue();
        }
    }

    private static IOException failure(StreamPath to) {
        while (true) {
            try {
                to.write(ByteBuffer.wrap(new byte[] {1}));
            } catch (IOException e) {
                return e;
            }
        }
    }

    /// A node that reads nothing for a while, and then looks what came in which order.
    @Test
    void what_the_hub_says_goes_before_data_that_waits() throws Exception {
        var met = new CompletableFuture<StreamPath>();
        try (var relay = meeting(met);
                var server = ServerSocketChannel.open()) {
            server.setOption(StandardSocketOptions.SO_RCVBUF, 8 << 10);
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            var slow = SocketChannel.open();
            slow.setOption(StandardSocketOptions.SO_RCVBUF, 8 << 10);
            slow.connect(server.getLocalAddress());
            var accepted = server.accept();
            accepted.setOption(StandardSocketOptions.SO_SNDBUF, 8 << 10);
            var who = Identity.create();
            var hello = Hello.routed("demo", who.id());
            relay.join(
                    relay.take(new Proved(new SocketPath(accepted), who.key(), hello, 1, false)));
            write(slow, RoutedFrames.open(1, HUB, 1 << 20));
            var hub = met.get();
            assertThat(hub.remote()).isEqualTo(slow.getLocalAddress());
            int all = 0;
            var one = Identity.create();
            var trunk = new Trunk(new SocketPath(line(relay, one)), one.id(), threads, _ -> {});
            threads.start("trunk", trunk::run);
            read(slow, RoutedFrames.grant(1, 1).length);
            var granted =
                    later(() -> {
                        for (int i = 1; i <= 4; i++) {
                            read(slow, RoutedFrames.HEADER + RoutedFrames.OPEN_BYTES);
                            write(slow, RoutedFrames.grant(2 * i, 1 << 20));
                        }
                    });
            var streams = new ArrayList<StreamPath>();
            for (int i = 0; i < 4; i++) {
                streams.add(trunk.open(who.id(), LONG));
            }
            granted.get();
            for (var stream : streams) {
                stream.blocking(false);
                all += fill(stream);
            }
            write(hub, new byte[] {7});
            assertThat(dataBefore(slow, 1)).isLessThan(all / 2);
            slow.close();
        }
    }

    /// Writes until nothing more goes, for a while.
    private static int fill(StreamPath stream) throws IOException {
        var full = ByteBuffer.allocate(64 << 10);
        int taken = 0;
        for (int inVain = 0; inVain < 1000; Thread.onSpinWait()) {
            int now = stream.write(full.clear());
            taken += now;
            inVain = now == 0 ? inVain + 1 : 0;
        }
        return taken;
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

    @Test
    void who_says_more_to_the_hub_than_it_reads_is_cut() throws Exception {
        var line = line(Identity.create()); // nobody at the desk reads
        write(line, RoutedFrames.open(1, HUB, 1 << 20));
        assertThat(read(line, RoutedFrames.grant(1, 1).length))
                .isEqualTo(RoutedFrames.grant(1, HubStream.WINDOW));
        var data = ByteBuffer.allocate(8 + RoutedFrames.MOST_DATA).order(ByteOrder.LITTLE_ENDIAN);
        data.putInt(RoutedFrames.word(RoutedFrames.DATA, RoutedFrames.MOST_DATA)).putInt(1);
        for (int sent = 0; sent < HubStream.WINDOW; sent += RoutedFrames.MOST_DATA) {
            write(line, data.array());
        }
        write(line, RoutedFrames.bare(RoutedFrames.PING, 0));
        assertThat(read(line, 8)).isEqualTo(RoutedFrames.bare(RoutedFrames.PONG, 0));
        var one = ByteBuffer.allocate(9).order(ByteOrder.LITTLE_ENDIAN);
        write(line, one.putInt(RoutedFrames.word(RoutedFrames.DATA, 1)).putInt(1).array());
        assertThat(read(line, 1)).isEmpty();
    }
}
