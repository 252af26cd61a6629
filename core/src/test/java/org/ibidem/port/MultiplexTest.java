package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.eventually;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.ibidem.Stacks;
import org.ibidem.station.NodeRuntime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;

/// Port connections that share one connection between the two nodes.
@Timeout(60)
@Isolated("looks again and again, which others make slow")
class MultiplexTest {
    private static final PortType ONE = PortType.oneToOne().stack("multiplex > tcp");
    private static final PortType MANY = PortType.manyToOne().stack("multiplex > tcp");
    private static final int SERVICE_LINK_AND_SHARED = 2;

    private final Pair pair = new Pair();

    @AfterEach
    void close() {
        pair.close();
    }

    private static <T> CompletableFuture<T> later(Supplier<T> body) {
        return CompletableFuture.supplyAsync(body, Thread::startVirtualThread);
    }

    private static void send(SendPort out, int value) {
        try (var message = out.newMessage()) {
            message.writeInt(value).finish();
        }
    }

    private static int receive(ReceivePort in) {
        try (var message = in.receive()) {
            return message.readInt();
        }
    }

    /// A station that finds the other one through this.
    private NodeRuntime through(Relayed relayed) {
        return pair.runtime(pair.there, relayed.address());
    }

    @ParameterizedTest
    @Stacks({"multiplex > tcp", "checksum > multiplex > tcp", "multiplex > shm"})
    void twenty_connections_need_one_besides_the_service_link(String stack) throws Exception {
        var type = PortType.manyToOne().stack(stack);
        try (var relayed = new Relayed(pair.there.listener().port());
                var here = through(relayed);
                var in = pair.receive(pair.there, type, "in")) {
            var outs = new ArrayList<SendPort>();
            for (int i = 0; i < 20; i++) {
                outs.add(pair.send(here, type, "out" + i));
                outs.getLast().connect(pair.there.id(), "in");
                send(outs.getLast(), i);
                assertThat(receive(in)).isEqualTo(i);
            }
            assertThat(relayed.connections()).isEqualTo(SERVICE_LINK_AND_SHARED);
            assertThat(pair.there.channels().links()).isEqualTo(20);
            outs.forEach(SendPort::close);
        }
    }

    @Test
    void without_it_each_has_its_own() throws Exception {
        var type = PortType.manyToOne().stack("tcp");
        try (var relayed = new Relayed(pair.there.listener().port());
                var here = through(relayed);
                var in = pair.receive(pair.there, type, "in")) {
            for (int i = 0; i < 3; i++) {
                pair.send(here, type, "out" + i).connect(pair.there.id(), "in");
            }
            eventually("all are there", () -> in.connections().size() == 3);
            assertThat(relayed.connections()).isEqualTo(1 + 3);
        }
    }

    @Tag("slow")
    @Test
    void five_hundred_connections_share_one() throws Exception {
        try (var relayed = new Relayed(pair.there.listener().port());
                var here = through(relayed);
                var in = pair.receive(pair.there, MANY, "in")) {
            var outs = new ArrayList<SendPort>();
            for (int i = 0; i < 500; i++) {
                outs.add(pair.send(here, MANY, "out" + i));
                outs.getLast().connect(pair.there.id(), "in");
            }
            for (int round = 0; round < 3; round++) {
                for (int i = 0; i < outs.size(); i++) {
                    send(outs.get(i), i);
                }
                var got = new ArrayList<Integer>();
                for (int i = 0; i < outs.size(); i++) {
                    got.add(receive(in));
                }
                assertThat(got).containsExactlyInAnyOrderElementsOf(numbers(outs.size()));
            }
            assertThat(relayed.connections()).isEqualTo(SERVICE_LINK_AND_SHARED);
            outs.forEach(SendPort::close);
        }
    }

    private static List<Integer> numbers(int count) {
        return IntStream.range(0, count).boxed().toList();
    }

    @Test
    void a_reader_that_does_not_read_stops_its_own_writer_only() {
        try (var slow = pair.receive(pair.there, ONE, "slow");
                var quick = pair.receive(pair.there, ONE, "quick");
                var toSlow = pair.send(pair.here, ONE, "to slow");
                var toQuick = pair.send(pair.here, ONE, "to quick")) {
            toSlow.connect(pair.there.id(), "slow");
            toQuick.connect(pair.there.id(), "quick");
            var large = new byte[16 << 20];
            large[large.length - 1] = 7;
            var written =
                    later(() -> {
                        try (var message = toSlow.newMessage()) {
                            message.writeArray(large).finish();
                        }
                        return true;
                    });
            for (int i = 0; i < 2_000; i++) {
                send(toQuick, i);
                assertThat(receive(quick)).isEqualTo(i);
            }
            assertThat(written.isDone()).as("nobody has read it").isFalse();
            var got = new byte[large.length];
            try (var message = slow.receive()) {
                message.readArray(got);
            }
            assertThat(got).isEqualTo(large);
            assertThat(written.join()).isTrue();
        }
    }

    @Test
    void whoever_uses_it_is_told_when_the_peer_dies() throws Exception {
        try (var relayed = new Relayed(pair.there.listener().port());
                var here = through(relayed)) {
            var ins = new ArrayList<ReceivePort>();
            var outs = new ArrayList<SendPort>();
            var waiting = new ArrayList<CompletableFuture<Integer>>();
            for (int i = 0; i < 5; i++) {
                var in = pair.receive(pair.there, ONE, "in" + i);
                outs.add(pair.send(here, ONE, "out" + i));
                outs.getLast().connect(pair.there.id(), "in" + i);
                send(outs.getLast(), i);
                assertThat(receive(in)).isEqualTo(i);
                waiting.add(later(() -> receive(in)));
                ins.add(in);
            }
            relayed.cut();
            for (var one : waiting) {
                assertThatThrownBy(one::join).hasCauseInstanceOf(ConnectionLost.class);
            }
            for (var out : outs) {
                assertThatThrownBy(
                                () -> {
                                    while (true) {
                                        send(out, 1);
                                    }
                                })
                        .isInstanceOf(ConnectionLost.class);
            }
            eventually("no link is left", () -> pair.there.channels().links() == 0);
            ins.forEach(ReceivePort::close);
            outs.forEach(SendPort::close);
        }
    }

    @Test
    void both_may_begin_at_the_same_moment() throws Exception {
        for (int round = 0; round < 20; round++) {
            try (var both = new Pair();
                    var thereIn = both.receive(both.there, ONE, "in");
                    var hereIn = both.receive(both.here, ONE, "in");
                    var thereOut = both.send(both.there, ONE, "out");
                    var hereOut = both.send(both.here, ONE, "out")) {
                var barrier = new CyclicBarrier(2);
                var one = later(() -> connected(barrier, hereOut, both.there));
                var other = later(() -> connected(barrier, thereOut, both.here));
                one.join();
                other.join();
                send(hereOut, round);
                send(thereOut, -round);
                assertThat(receive(thereIn)).isEqualTo(round);
                assertThat(receive(hereIn)).isEqualTo(-round);
                assertThat(both.here.peers().shared()).isBetween(1, 2);
            }
        }
    }

    private static boolean connected(CyclicBarrier barrier, SendPort out, NodeRuntime to) {
        try {
            barrier.await();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        out.connect(to.id(), "in");
        return true;
    }

    @Test
    void what_was_written_before_the_node_is_closed_arrives() throws IOException {
        try (var in = pair.receive(pair.there, ONE, "in")) {
            var here = pair.runtime();
            var out = pair.send(here, ONE, "out");
            out.connect(pair.there.id(), "in");
            var large = new byte[900_000];
            large[large.length - 1] = 7;
            try (var message = out.newMessage()) {
                message.writeArray(large).finish();
            }
            var read =
                    later(() -> {
                        var got = new byte[large.length];
                        try (var message = in.receive()) {
                            message.readArray(got);
                        }
                        return got;
                    });
            out.close();
            here.close();
            assertThat(read.join()).isEqualTo(large);
        }
    }
}
