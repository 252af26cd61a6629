package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.ibidem.Eventually.eventually;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.ibidem.Background;
import org.ibidem.Stacks;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;

/// Connects that meet something else: another connect, a close, a message in hand. Whoever does not
/// get his connection leaves nothing behind at the other end.
@ParameterizedClass
@Stacks({"loopback", "shm", "tcp"})
@Timeout(60)
class ConnectingTest {
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Duration SHORT = Duration.ofMillis(400);

    /// Runs out in a test, and only after what comes before it, on a busy machine too.
    private static final Duration ENOUGH = Duration.ofSeconds(3);

    private final PortType one;
    private final PortType many;
    private final Pair pair = new Pair();

    ConnectingTest(String stack) {
        this.one = PortType.oneToOne().stack(stack);
        this.many = PortType.oneToMany().stack(stack);
        pair.here.ping(pair.there.id(), Duration.ofSeconds(20)); // so that short limits are enough
    }

    @AfterEach
    void close() {
        pair.close();
    }

    /// To a port that is not there yet; it is waited for at its node.
    private CompletableFuture<Void> connecting(SendPort out, String port, Duration limit) {
        int before = pair.there.channels().waiting();
        var connecting = Background.run(() -> out.connect(pair.there.id(), port, limit));
        eventually("it is waited for", () -> pair.there.channels().waiting() > before);
        return connecting;
    }

    private ReceivePort in(PortType type, String name) {
        return pair.receive(pair.there, type, name);
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

    private static Throwable cause(CompletableFuture<?> failed) {
        return catchThrowable(failed::join).getCause();
    }

    /// As soon as the one who did not get it has let go.
    private void requireFree(ReceivePort in) {
        requireFree(
                in,
                () -> {
                    // At once, but where the first was not free yet: then when it was idle for a
                    // while.
                    eventually("one link serves them", () -> pair.here.channels().links() == 1);
                });
    }

    private void requireFree(ReceivePort in, Runnable connected) {
        eventually("it has let go", () -> in.poll() == null && in.connections().isEmpty());
        try (var next = pair.send(pair.here, in.type(), "next")) {
            next.connect(pair.there.id(), in.name(), Duration.ofSeconds(20));
            send(next, 7);
            assertThat(receive(in)).isEqualTo(7);
            assertThat(in.connections()).containsExactly(new Origin(pair.here.id(), "next"));
            connected.run();
        }
    }

    @Test
    void a_port_for_one_receiver_is_not_connected_twice_at_once() {
        try (var out = pair.send(pair.here, one, "out");
                var _ = in(one, "other")) {
            var connecting = connecting(out, "late", LONG);
            assertThatThrownBy(() -> out.connect(pair.there.id(), "other"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("port 'late'")
                    .hasMessageContaining("already");
            try (var late = in(one, "late")) {
                connecting.join();
                send(out, 1);
                assertThat(receive(late)).isEqualTo(1);
            }
        }
    }

    @Test
    void a_port_for_several_is_connected_to_others_meanwhile_and_to_none_of_them_twice() {
        try (var out = pair.send(pair.here, many, "out");
                var there = in(many, "there")) {
            var connecting = connecting(out, "late", LONG);
            out.connect(pair.there.id(), "there");
            for (var again : List.of("late", "there")) {
                assertThatThrownBy(() -> out.connect(pair.there.id(), again))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("port '" + again + "'");
            }
            send(out, 1);
            assertThat(receive(there)).isEqualTo(1);
            try (var late = in(many, "late")) {
                connecting.join();
                send(out, 2);
                assertThat(receive(there)).isEqualTo(2);
                assertThat(receive(late)).isEqualTo(2);
            }
        }
    }

    @Test
    @Tag("slow")
    void a_connect_that_failed_is_none_any_more() {
        try (var out = pair.send(pair.here, one, "out")) {
            var refused = Pair.refused(() -> out.connect(pair.there.id(), "in", SHORT));
            assertThat(refused.why()).isEqualTo(ConnectRefused.Why.NO_SUCH_PORT);
            assertThatThrownBy(out::newMessage).isInstanceOf(NotConnected.class);
            try (var in = in(one, "in")) {
                out.connect(pair.there.id(), "in");
                send(out, 1);
                assertThat(receive(in)).isEqualTo(1);
            }
        }
    }

    @Test
    void a_closed_port_asks_nobody() {
        var out = pair.send(pair.here, one, "out");
        out.close();
        assertThatThrownBy(() -> out.connect(pair.there.id(), "nobody", SHORT))
                .isInstanceOf(PortClosed.class);
        assertThat(pair.there.channels().waiting()).isZero();
    }

    @Test
    void a_port_that_is_closed_while_it_connects_leaves_no_connection() {
        var out = pair.send(pair.here, one, "out");
        var connecting = connecting(out, "late", LONG);
        out.close();
        try (var late = in(one, "late")) {
            assertThat(cause(connecting)).isInstanceOf(PortClosed.class);
            assertThat(out.connections()).isEmpty();
            requireFree(late);
        }
    }

    /// What was never used ends in order.
    @Test
    void nor_does_it_take_along_the_other_direction_of_the_link() {
        try (var back = pair.receive(pair.here, one, "back");
                var reply = pair.send(pair.there, one, "reply")) {
            reply.connect(pair.here.id(), "back");
            var out = pair.send(pair.here, one, "out");
            var connecting = connecting(out, "late", LONG);
            out.close();
            try (var late = in(one, "late")) {
                assertThat(cause(connecting)).isInstanceOf(PortClosed.class);
                send(reply, 1);
                assertThat(receive(back)).isEqualTo(1);
                requireFree(late, () -> {}); // a second link, if that direction was not free yet
                send(reply, 2);
                assertThat(receive(back)).isEqualTo(2);
            }
        }
    }

    @Test
    @Tag("slow")
    void one_who_has_a_message_in_hand_when_he_is_connected_is_refused_and_leaves_no_connection() {
        try (var out = pair.send(pair.here, many, "out");
                var there = in(many, "there")) {
            out.connect(pair.there.id(), "there");
            var connecting = connecting(out, "late", ENOUGH);
            try (var message = out.newMessage();
                    var late = in(many, "late")) {
                assertThat(cause(connecting))
                        .isInstanceOfSatisfying(
                                ConnectRefused.class,
                                refused ->
                                        assertThat(refused.why())
                                                .isEqualTo(ConnectRefused.Why.OCCUPIED))
                        .hasMessageContaining("another thread has a message of")
                        .hasMessageContaining("in hand");
                message.writeInt(1).finish();
                assertThat(receive(there)).isEqualTo(1);
                assertThat(out.connections()).hasSize(1);
                eventually("it is let go of", () -> late.connections().isEmpty());
                try (var next = pair.send(pair.here, many, "next")) {
                    next.connect(pair.there.id(), "late");
                    send(next, 2);
                    assertThat(receive(late)).isEqualTo(2);
                }
            }
        }
    }

    @Test
    @Tag("slow")
    void one_who_has_a_message_in_hand_asks_nobody_until_it_is_finished() {
        try (var out = pair.send(pair.here, many, "out");
                var there = in(many, "there")) {
            out.connect(pair.there.id(), "there");
            var message = out.newMessage();
            var connecting = Background.run(() -> out.connect(pair.there.id(), "nobody", SHORT));
            assertThat(cause(connecting))
                    .isInstanceOf(ConnectRefused.class)
                    .hasMessageContaining("in hand");
            message.writeInt(1).finish();
            message.close();
            assertThat(receive(there)).isEqualTo(1);
            assertThat(Pair.refused(() -> out.connect(pair.there.id(), "nobody", SHORT)).why())
                    .isEqualTo(ConnectRefused.Why.NO_SUCH_PORT);
        }
    }

    @Test
    @Tag("slow")
    void of_several_targets_each_is_said_how_it_went() {
        try (var out = pair.send(pair.here, many, "out");
                var there = in(many, "there")) {
            var good = new Target(pair.there.id(), "there");
            var bad = new Target(pair.there.id(), "nobody");
            var connected = out.connect(List.of(good, bad, good), ENOUGH);
            assertThat(connected.reached()).containsExactly(good);
            assertThat(connected.failed()).containsOnlyKeys(bad);
            send(out, 1);
            assertThat(receive(there)).isEqualTo(1);
        }
    }

    /// It was closed with the answer on its way.
    @Test
    @Tag("slow")
    void a_receive_port_that_is_closed_as_one_connects_ends_that_connection() {
        try (var out = pair.send(pair.here, one, "out")) {
            for (int i = 0; i < 30; i++) {
                var in = in(one, "in");
                var connecting = Background.run(() -> out.connect(pair.there.id(), "in", LONG));
                var closing = Background.run(in::close);
                closing.join();
                try (var again = in(one, "in")) {
                    connecting.join(); // to this one or to that
                    eventually(
                            "it is one of them",
                            () -> out.connections().isEmpty() || !again.connections().isEmpty());
                    if (out.connections().isEmpty()) {
                        out.connect(pair.there.id(), "in");
                    }
                    sendTo(out, again, i);
                }
                eventually("it knows", () -> out.connections().isEmpty());
                out.disconnect();
            }
        }
    }

    /// That the last one is over may be told first.
    private static void sendTo(SendPort out, ReceivePort in, int value) {
        try {
            send(out, value);
        } catch (ConnectionLost _) {
            send(out, value);
        }
        assertThat(receive(in)).isEqualTo(value);
    }

    @Test
    void places_and_links_are_given_back_however_often_ports_come_and_go() {
        var all = new ArrayList<SendPort>();
        try (var in = in(one, "in")) {
            for (int i = 0; i < 20; i++) {
                var out = pair.send(pair.here, one, "out " + i);
                all.add(out);
                out.connect(pair.there.id(), "in");
                out.close();
                eventually("it has gone", () -> in.connections().isEmpty());
            }
            assertThat(in.poll()).isNull();
            requireFree(in);
        }
        assertThat(all).allSatisfy(out -> assertThat(out.connections()).isEmpty());
    }
}
