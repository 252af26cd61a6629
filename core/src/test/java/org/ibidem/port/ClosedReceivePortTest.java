package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.eventually;
import static org.ibidem.port.Traffic.fill;
import static org.ibidem.port.Traffic.isUsed;
import static org.ibidem.port.Traffic.receive;
import static org.ibidem.port.Traffic.send;
import static org.ibidem.port.Traffic.sendForEver;
import static org.ibidem.port.Traffic.writeForEver;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.ibidem.Background;
import org.ibidem.Stacks;
import org.ibidem.arbitration.WaitInterrupted;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedClass;

/// How a receive port is closed: it waits for its senders as long as its limit allows, those that
/// stay are told, and neither the other direction of a link nor the next connection is harmed.
@ParameterizedClass
@Stacks({"loopback", "shm", "tcp"})
@Timeout(60)
@Isolated("looks at the files of the process")
class ClosedReceivePortTest {
    private static final Duration WHILE = Duration.ofMillis(150);
    private static final int MUCH = 8 << 20;
    private static final int SOME = 12;

    private final PortType type;
    private final Pair pair = new Pair();

    ClosedReceivePortTest(String stack) {
        this.type = PortType.oneToOne().stack(stack);
        pair.here.ping(pair.there.id(), Duration.ofSeconds(20)); // so that short limits are enough
    }

    @AfterEach
    void close() {
        pair.close();
    }

    private ReceivePort in(String name) {
        return pair.receive(pair.there, type, name);
    }

    private SendPort connected(String port) {
        return pair.connected(type, port);
    }

    @Test
    void a_port_closed_with_a_limit_waits_until_its_senders_have_gone() throws Exception {
        int count = 500;
        var in = in("in");
        try (var out = connected("in")) {
            var read =
                    Background.call(() -> {
                        int got = 0;
                        try {
                            while (receive(in) == got) {
                                got++;
                            }
                        } catch (PortClosed _) {
                            // as it should end
                        }
                        return got;
                    });
            eventually("it is connected", () -> in.connections().size() == 1);
            var closed = Background.call(() -> in.close(Duration.ofSeconds(20)));
            eventually("nobody else may connect", () -> !in.accepting());
            for (int i = 0; i < count; i++) {
                send(out, i);
            }
            assertThat(closed).isNotDone();
            out.disconnect();
            assertThat(closed.get()).isTrue();
            assertThat(read.get()).isEqualTo(count);
        }
    }

    @Test
    void a_port_closed_with_a_limit_tells_those_who_stay() {
        var in = in("in");
        try (var out = connected("in")) {
            eventually("it is connected", () -> in.connections().size() == 1);
            assertThat(in.close(Duration.ofMillis(50))).isFalse();
            assertThatThrownBy(() -> sendForEver(out))
                    .isInstanceOf(ConnectionLost.class)
                    .hasMessageContaining("the receive port was closed");
        }
    }

    /// As `close()` does in other systems.
    @Test
    void a_port_may_be_closed_when_all_have_left_however_long_that_takes() {
        try (var in = in("in")) {
            assertThat(in.close(ChronoUnit.FOREVER.getDuration())).isTrue();
        }
    }

    @Test
    void a_reader_that_waits_is_told_of_the_close() {
        var in = in("in");
        var out = connected("in");
        var waiting = Background.call(in::receive);
        eventually("it waits", () -> isWaiting(in));
        in.close();
        assertThatThrownBy(waiting::join).hasCauseInstanceOf(PortClosed.class);
        assertThatThrownBy(in::poll).isInstanceOf(PortClosed.class);
        assertThat(in.connections()).isEmpty();
        eventually("its sender knows", () -> out.connections().isEmpty());
    }

    private static boolean isWaiting(ReceivePort in) {
        try {
            return in.poll() == null;
        } catch (WaitInterrupted e) {
            throw new AssertionError(e);
        }
    }

    /// A closed port drops what comes, so that a writer never runs out of room.
    @Test
    void who_writes_in_vain_is_told_that_its_receiver_has_closed() throws Exception {
        var in = in("in");
        var out = connected("in");
        fill(out);
        var writing =
                Background.run(() -> {
                    try (var message = out.newMessage()) {
                        while (true) {
                            message.writeArray(new byte[MUCH]);
                        }
                    }
                });
        eventually("it writes", () -> isUsed(out));
        in.close();
        assertThatThrownBy(() -> writing.get(20, TimeUnit.SECONDS))
                .hasCauseInstanceOf(ConnectionLost.class)
                .hasMessageContaining("the receive port was closed");
        assertThat(out.connections()).isEmpty();
        out.close();
    }

    @Test
    void a_receiver_that_closes_under_a_blocked_sender_leaves_the_other_direction_alone()
            throws InterruptedException {
        var in = in("in");
        try (var back = pair.receive(pair.here, type, "back");
                var out = connected("in");
                var reply = pair.send(pair.there, type, "reply")) {
            reply.connect(pair.here.id(), "back");
            assertThat(pair.here.channels().links()).isEqualTo(1);
            var lost = new CountDownLatch(1);
            Thread.ofPlatform()
                    .start(() -> {
                        try (var m = out.newMessage()) {
                            writeForEver(m);
                        } catch (ConnectionLost e) {
                            lost.countDown();
                        }
                    });
            in.close();
            lost.await();
            assertThatThrownBy(() -> sendForEver(out))
                    .isInstanceOfAny(ConnectionLost.class, NotConnected.class);
            send(reply, 9);
            assertThat(receive(back)).isEqualTo(9);
        }
    }

    @Test
    void a_receiver_that_closed_under_a_message_is_let_go_when_that_was_given_up() {
        var in = in("in");
        try (var out = connected("in");
                var _ = in("other")) {
            var message = out.newMessage();
            in.close();
            connected("other").close(); // what is said later is heard later
            message.close();
            eventually("it is let go", () -> out.connections().isEmpty());
        }
    }

    @Test
    void a_sender_left_by_its_receiver_says_end_once_and_the_direction_serves_the_next() {
        var first = in("first");
        var left = connected("first");
        try (var second = in("second")) {
            send(left, 1);
            first.close();
            assertThatThrownBy(() -> sendForEver(left)).isInstanceOf(ConnectionLost.class);
            left.close();
            try (var next = connected("second")) {
                send(next, 2);
                assertThat(receive(second)).isEqualTo(2);
                send(next, 3);
                assertThat(receive(second)).isEqualTo(3);
            }
        }
    }

    @Test
    void a_receive_port_closed_in_haste_breaks_what_a_message_in_anothers_hand_comes_over() {
        var in = in("in");
        var out = connected("in");
        send(out, 1);
        var got = new CountDownLatch(1);
        var closed = new CountDownLatch(1);
        var reading =
                Background.run(() -> {
                    try (var message = in.receive()) {
                        got.countDown();
                        closed.await();
                        assertThat(message.readInt()).isEqualTo(1);
                    }
                });
        eventually("it is in hand", () -> got.getCount() == 0);
        Thread.currentThread().interrupt(); // so that it does not wait for the other
        in.close();
        assertThat(Thread.interrupted()).isTrue();
        eventually("the link is broken", () -> pair.there.channels().links() == 0);
        assertThatThrownBy(() -> sendForEver(out))
                .isInstanceOf(ConnectionLost.class)
                .hasMessageContaining("is lost: ");
        closed.countDown();
        reading.handle((_, _) -> null).join(); // it has read, or was told
        assertThat(in.connections()).isEmpty();
        out.close();
    }

    /// Others use the link of its sender in the other direction.
    @Test
    void a_handler_may_close_its_port() {
        var mine = PortType.oneToOne().stack(type.stack()).with(Capability.UPCALLS);
        try (var back = pair.receive(pair.here, mine, "back");
                var reply = pair.send(pair.there, mine, "reply");
                var out = pair.send(pair.here, mine, "out")) {
            reply.connect(pair.here.id(), "back");
            long before = Descriptors.selectors();
            for (int i = 0; i < SOME; i++) {
                closeInHandler(mine, out);
                send(reply, i);
                assertThat(receive(back)).isEqualTo(i);
            }
            eventually("their selectors are closed", () -> Descriptors.selectors() < before + SOME);
        }
    }

    private void closeInHandler(PortType mine, SendPort out) {
        var closing = new AtomicReference<ReceivePort>();
        var setup = ReceiveSetup.USUAL.upcall(_ -> closing.get().close());
        var in = pair.receive(pair.there, mine, "in", setup);
        closing.set(in);
        out.connect(pair.there.id(), "in");
        send(out, 1);
        eventually("it is told", () -> out.connections().isEmpty());
        assertThatThrownBy(out::newMessage)
                .isInstanceOf(ConnectionLost.class)
                .hasMessageContaining("is over: the receive port was closed");
    }

    /// It may have gone on with another connection by then.
    @Test
    void a_receive_port_that_was_closed_takes_nobody_and_gives_its_name_away() {
        in("in").close();
        try (var out = pair.send(pair.here, type, "out");
                var _ = in("other")) {
            assertThat(Pair.refused(() -> out.connect(pair.there.id(), "in", WHILE)).why())
                    .isEqualTo(ConnectRefused.Why.NO_SUCH_PORT);
            try (var again = in("in")) {
                out.connect(pair.there.id(), "in");
                send(out, 1);
                assertThat(receive(again)).isEqualTo(1);
            }
        }
    }
}
