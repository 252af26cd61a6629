package org.ibidem.hub.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.eventually;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.ibidem.arbitration.Threads;
import org.ibidem.connect.SocketPath;
import org.ibidem.connect.routed.Trunk;
import org.ibidem.handshake.Hello;
import org.ibidem.handshake.Proved;
import org.ibidem.identity.Identity;
import org.ibidem.link.StreamPath;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What a hub's nodes may use of its relaying, in real time: that is what is tested.
class RelayUseTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final int RATE = 1_000_000;

    private final Threads threads = new Threads("test");

    @AfterEach
    void close() {
        threads.close();
    }

    private final class Member {
        final Identity identity = Identity.create();
        final BlockingQueue<StreamPath> visitors = new LinkedBlockingQueue<>();
        final Trunk trunk;

        Member(Relay relay, String pool) throws IOException {
            try (var server = ServerSocketChannel.open()) {
                server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                var mine = SocketChannel.open(server.getLocalAddress());
                var hello = Hello.routed(pool, identity.id());
                relay.join(
                        relay.take(
                                new Proved(
                                        new SocketPath(server.accept()),
                                        identity.key(),
                                        hello,
                                        1,
                                        false)));
                trunk = new Trunk(new SocketPath(mine), identity.id(), threads, visitors::add);
                threads.start("trunk", trunk::run);
            }
        }

        StreamPath to(Member other) throws IOException, InterruptedException {
            return trunk.open(other.identity.id(), LONG);
        }

        long nanosToSend(Member other, int bytes) throws Exception {
            var out = to(other);
            var in = other.visitors.take();
            long begin = System.nanoTime();
            threads.start(
                    "write",
                    () -> {
                        try {
                            for (var all = ByteBuffer.allocate(bytes); all.hasRemaining(); ) {
                                out.write(all);
                            }
                        } catch (IOException e) {
                            throw new IllegalStateException(e);
                        }
                    });
            var got = ByteBuffer.allocate(bytes);
            while (got.hasRemaining()) {
                assertThat(in.read(got)).isPositive();
            }
            return System.nanoTime() - begin;
        }
    }

    private Relay relay(long ofNode, long ofPool, Duration idle) {
        return new Relay(
                Limits.DEFAULT.use(ofNode, ofPool, idle),
                threads,
                Identity.create().id(),
                (_, _) -> {});
    }

    /// No faster than the rate, but for the burst of a fifth of a second and what is read at once.
    private static long least(int bytes) {
        return (bytes - 2 * RATE / 5 - (64 << 10)) * (1_000_000_000L / RATE);
    }

    @Test
    void a_node_sends_no_faster_than_it_may_and_another_goes_on() throws Exception {
        try (var relay = relay(RATE, 0, Duration.ZERO)) {
            var one = new Member(relay, "demo");
            var other = new Member(relay, "demo");
            int bytes = 800_000;
            assertThat(one.nanosToSend(other, bytes)).isGreaterThan(least(bytes));
            other.nanosToSend(one, 1000);
        }
    }

    @Test
    void nodes_of_a_pool_share_what_it_may_send() throws Exception {
        try (var relay = relay(0, RATE, Duration.ZERO)) {
            var one = new Member(relay, "demo");
            var other = new Member(relay, "demo");
            int bytes = 500_000;
            long begin = System.nanoTime();
            one.nanosToSend(other, bytes);
            other.nanosToSend(one, bytes);
            assertThat(System.nanoTime() - begin).isGreaterThan(least(2 * bytes));
        }
    }

    @Test
    @Tag("slow")
    void a_stream_that_carries_nothing_is_ended_with_the_reason_at_both_ends() throws Exception {
        try (var relay = relay(0, 0, Duration.ofSeconds(1))) {
            var one = new Member(relay, "demo");
            var other = new Member(relay, "demo");
            var out = one.to(other);
            var in = other.visitors.take();
            for (var end : new StreamPath[] {in, out}) {
                assertThatThrownBy(() -> end.read(ByteBuffer.allocate(1)))
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("carry nothing for 1 s");
            }
            assertThat(relay.size()).isEqualTo(2);
        }
    }

    @Test
    void who_comes_when_all_places_are_taken_is_carried_as_soon_as_one_is_free() throws Exception {
        var limits = Limits.DEFAULT.spokes(2);
        try (var relay = new Relay(limits, threads, Identity.create().id(), (_, _) -> {})) {
            var one = new Member(relay, "demo");
            var other = new Member(relay, "demo");
            var late = new Member(relay, "demo");
            var later = new Member(relay, "demo");
            assertThatThrownBy(() -> late.to(one)).hasMessageContaining("2 of them at most");
            assertThatThrownBy(() -> one.to(late)).hasMessageContaining("has no connection");
            other.trunk.close();
            awaitTrunks(relay, 3);
            late.nanosToSend(one, 1000);
            one.nanosToSend(late, 1000);
            assertThatThrownBy(() -> later.to(one)).hasMessageContaining("2 of them at most");
            assertThat(relay.size()).isEqualTo(2);
            one.trunk.close();
            awaitTrunks(relay, 2);
            later.nanosToSend(late, 1000);
            new Member(relay, "other").nanosToSend(new Member(relay, "other"), 10);
        }
    }

    /// Who waits for a place and is gone takes none.
    @Test
    void who_does_not_wait_any_more_takes_no_place() throws Exception {
        var limits = Limits.DEFAULT.spokes(1);
        try (var relay = new Relay(limits, threads, Identity.create().id(), (_, _) -> {})) {
            var one = new Member(relay, "demo");
            var impatient = new Member(relay, "demo");
            var patient = new Member(relay, "demo");
            impatient.trunk.close();
            awaitTrunks(relay, 2);
            one.trunk.close();
            awaitTrunks(relay, 1);
            patient.nanosToSend(patient, 10);
            assertThat(relay.size()).isEqualTo(1);
        }
    }

    private static void awaitTrunks(Relay relay, int count) {
        eventually(count + " are left", () -> relay.trunks() == count);
    }

    private static byte carried(StreamPath out, StreamPath in, int what) throws IOException {
        out.write(ByteBuffer.wrap(new byte[] {(byte) what}));
        var got = ByteBuffer.allocate(1);
        assertThat(in.read(got)).isEqualTo(1);
        return got.get(0);
    }

    /// As after a year of carrying for the same node.
    @Test
    void numbers_that_come_round_pass_over_streams_in_use() throws Exception {
        try (var relay = relay(0, 0, Duration.ZERO)) {
            var one = new Member(relay, "demo");
            var other = new Member(relay, "demo");
            var first = one.to(other);
            var firstThere = other.visitors.take();
            var spoke = relay.spoke("demo", other.identity.id());
            spoke.numbers.goOnFrom(Integer.MAX_VALUE - 1);
            for (int i = 0; i < 4; i++) {
                assertThat(carried(one.to(other), other.visitors.take(), i)).isEqualTo((byte) i);
            }
            assertThat(carried(first, firstThere, 42)).isEqualTo((byte) 42);
        }
    }

    @Test
    void a_node_is_served_after_two_to_the_thirty_first() throws Exception {
        try (var relay = relay(0, 0, Duration.ZERO)) {
            relay.turn.set(Integer.MIN_VALUE + 1);
            var one = new Member(relay, "demo");
            var other = new Member(relay, "demo");
            assertThat(carried(one.to(other), other.visitors.take(), 1)).isEqualTo((byte) 1);
        }
    }
}
