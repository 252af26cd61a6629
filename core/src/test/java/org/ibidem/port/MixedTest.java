package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.eventually;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntUnaryOperator;
import org.ibidem.arbitration.WaitPolicy;
import org.ibidem.peer.Course;
import org.ibidem.station.NodeRuntime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Senders over shared memory and over TCP under one receive port.
@Timeout(60)
class MixedTest {
    private static final PortType TYPE = PortType.manyToOne().stack("multi(shm, tcp)");

    private static final int FEW = 1_000;
    private static final int MANY = 5_000;
    private static final int BETWEEN = 1_000;

    private final Pair pair = new Pair();
    private final NodeRuntime far = pair.withoutPlaces();

    @AfterEach
    void close() {
        far.close();
        pair.close();
    }

    @Test
    void one_send_port_reaches_each_of_several_by_the_best_way_to_it() {
        var type = PortType.oneToMany().stack("multi(shm, tcp)");
        var large = new byte[1_000_000];
        try (var near = pair.receive(pair.there, type, "in");
                var distant = pair.receive(far, type, "in");
                var between = pair.withoutPlacesOf(far);
                var out = pair.send(between, type, "out")) {
            out.connect(pair.there.id(), "in");
            out.connect(far.id(), "in");
            assertThat(out.way(new Target(pair.there.id(), "in"))).hasToString("shm");
            assertThat(out.way(new Target(far.id(), "in")))
                    .asString()
                    .matches("tcp by direct to .*:\\d+ \\(shm: no, it offers no shared memory\\)");
            var sent =
                    CompletableFuture.runAsync(
                            () -> {
                                for (int i = 0; i < 20; i++) {
                                    try (var message = out.newMessage()) {
                                        message.writeInt(i).writeArray(large).finish();
                                    }
                                }
                            },
                            Thread::startVirtualThread);
            for (int i = 0; i < 20; i++) {
                for (var in : java.util.List.of(near, distant)) {
                    try (var message = in.receive()) {
                        assertThat(message.readInt()).isEqualTo(i);
                        message.readArray(large);
                    }
                }
            }
            sent.join();
        }
    }

    private SendPort sender(NodeRuntime node, String name) {
        var out = pair.send(node, TYPE, name);
        out.connect(pair.there.id(), "in");
        return out;
    }

    @Test
    void the_way_of_a_connection_and_what_was_passed_over_is_told() {
        try (var in = pair.receive(pair.there, TYPE, "in");
                var near = sender(pair.here, "near");
                var distant = sender(far, "distant")) {
            var target = new Target(pair.there.id(), "in");
            assertThat(near.way(target)).hasToString("shm");
            assertThat(near.way().course().method()).isEmpty();
            assertThat(distant.way().toString())
                    .matches(
                            "tcp by direct to \\S+:\\d+ \\(shm: no, it offers no shared memory\\)");
            assertThat(near.way(new Target(pair.here.id(), "in"))).isNull();
            assertThat(in.isClosed()).isFalse();
        }
    }

    @Test
    void the_way_is_told_with_its_filters_and_by_whom_its_connection_was_made() {
        var type = PortType.manyToMany().stack("checksum > fragment(size=4k) > tcp");
        try (var in = pair.receive(pair.there, type, "in");
                var back = pair.receive(pair.here, type, "back");
                var out = pair.send(pair.here, type, "out");
                var answer = pair.send(pair.there, type, "answer")) {
            assertThatThrownBy(out::way).isInstanceOf(NotConnected.class);
            out.connect(pair.there.id(), in.name());
            var way = out.way();
            assertThat(way.network()).isEqualTo("tcp");
            assertThat(way.filters()).containsExactly("checksum", "fragment(size=4k)");
            assertThat(way.course().method()).isEqualTo("direct");
            assertThat(way.onTrial()).isEmpty();
            assertThat(out.way().course().age()).isGreaterThanOrEqualTo(way.course().age());
            // It takes the other direction of the link that is there.
            answer.connect(pair.here.id(), back.name());
            assertThat(answer.way().course().method()).isEqualTo(Course.ACCEPTED);
            assertThat(answer.way().toString()).contains("tcp, accepted from ");
        }
    }

    /// What is already in the ring when the rare one sends may come first, and what comes within
    /// one look at the sockets.
    @ParameterizedTest
    @ValueSource(strings = {"adaptive", "sleep", "spin"})
    void a_flood_over_one_network_delays_the_other_by_a_bounded_number_of_messages(String waiting) {
        var policy = WaitPolicy.parse(waiting).looking(64);
        for (boolean floodIsNear : new boolean[] {true, false}) {
            CompletableFuture<Void> flood;
            try (var in = pair.receive(pair.there, TYPE, "in")) {
                in.waiting(policy);
                var busy = sender(floodIsNear ? pair.here : far, "busy");
                var rare = sender(floodIsNear ? far : pair.here, "rare");
                eventually("both are connected", () -> in.connections().size() == 2);
                flood = CompletableFuture.runAsync(() -> flood(busy), Thread::startVirtualThread);
                for (int i = 0; i < 20; i++) {
                    send(rare, i);
                    int others = 0;
                    while (!fromRare(in)) {
                        others++;
                    }
                    assertThat(others).as("messages let in before it").isLessThan(1_000);
                }
                rare.close();
            }
            assertThatThrownBy(flood::join).hasCauseInstanceOf(ConnectionLost.class);
        }
    }

    /// The share of looks at the sockets, changed while messages come. How much of a flood over
    /// shared memory one over TCP waits for follows it; one over shared memory waits for no look.
    /// The flood is ahead whenever the rare one sends, so no pause of it lets that one in.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void the_share_of_looks_is_changed_while_it_runs_and_the_waits_follow(boolean floodIsNear) {
        int lead = floodIsNear ? 10_000 : 2_000;
        var ahead = new AtomicInteger();
        CompletableFuture<Void> flood;
        try (var in = pair.receive(pair.there, TYPE, "in")) {
            var busy = sender(floodIsNear ? pair.here : far, "busy");
            var rare = sender(floodIsNear ? far : pair.here, "rare");
            eventually("both are connected", () -> in.connections().size() == 2);
            flood =
                    CompletableFuture.runAsync(
                            () -> {
                                while (true) {
                                    send(busy, 1);
                                    ahead.incrementAndGet();
                                }
                            },
                            Thread::startVirtualThread);
            IntUnaryOperator waits =
                    polls -> {
                        in.waiting(WaitPolicy.ADAPTIVE.looking(polls));
                        return longest(in, rare, ahead, lead);
                    };
            assertThat(waits.applyAsInt(64)).as("often looked at").isLessThan(FEW);
            int seldom = waits.applyAsInt(1 << 17);
            if (floodIsNear) {
                assertThat(seldom).as("seldom looked at").isGreaterThan(MANY);
            } else {
                assertThat(seldom).as("in a ring").isLessThan(FEW);
            }
            assertThat(waits.applyAsInt(64)).as("often looked at again").isLessThan(FEW);
            rare.close();
        }
        assertThatThrownBy(flood::join).hasCauseInstanceOf(ConnectionLost.class);
    }

    /// How many messages of the flood came before one of the other network, at most.
    private static int longest(ReceivePort in, SendPort rare, AtomicInteger ahead, int lead) {
        int longest = 0;
        for (int i = 0; i < 5; i++) {
            for (int j = 0; j < BETWEEN; j++) {
                assertThat(fromRare(in)).isFalse(); // a source that had something is asked again
                ahead.decrementAndGet();
            }
            eventually("the flood is ahead", () -> ahead.get() > lead);
            send(rare, i);
            int others = 0;
            while (!fromRare(in)) {
                others++;
                ahead.decrementAndGet();
            }
            longest = i == 0 ? 0 : Math.max(longest, others); // the first waits as was said before
        }
        return longest;
    }

    private static void flood(SendPort out) {
        for (int i = 0; ; i++) {
            send(out, i);
        }
    }

    private static void send(SendPort out, int number) {
        try (var message = out.newMessage()) {
            message.writeInt(number).finish();
        }
    }

    private static boolean fromRare(ReceivePort in) {
        try (var message = in.receive()) {
            return message.origin().port().equals("rare");
        }
    }
}
