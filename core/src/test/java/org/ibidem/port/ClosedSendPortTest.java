package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.ibidem.Eventually.eventually;
import static org.ibidem.port.Traffic.fill;
import static org.ibidem.port.Traffic.isUsed;
import static org.ibidem.port.Traffic.receive;
import static org.ibidem.port.Traffic.send;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.ibidem.Background;
import org.ibidem.Stacks;
import org.ibidem.arbitration.WaitPolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedClass;

/// How a send port is closed or disconnected, in time or within a limit that is too short: whoever
/// uses it is told, and nothing of it is kept.
@ParameterizedClass
@Stacks({"loopback", "shm", "tcp"})
@Timeout(60)
@Isolated("looks at the files of the process")
class ClosedSendPortTest {
    private static final Duration SHORT = Duration.ofMillis(20);
    private static final Duration LONG = ChronoUnit.FOREVER.getDuration();
    private static final int MUCH = 8 << 20;
    private static final int SOME = 12;

    private final PortType type;
    private final Pair pair = new Pair();

    ClosedSendPortTest(String stack) {
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

    private SendPort connected(ReceivePort in) {
        return pair.connected(type, in.name());
    }

    private boolean isOver(String driver) {
        return type.stack().equals(driver);
    }

    @Test
    void who_flushes_or_writes_in_vain_is_told_of_the_close_and_it_goes_on() {
        for (boolean flushes : new boolean[] {true, false}) {
            if (flushes && !isOver("tcp")) {
                continue; // what is in memory is there
            }
            var in = in("in");
            var out = connected(in);
            fill(out);
            var using = Background.run(flushes ? out::flush : () -> writeMuch(out));
            eventually("it is in use", () -> isUsed(out) || using.isDone());
            var closing = Background.run(() -> out.close(LONG));
            var thrown = catchThrowable(using::join);
            if (thrown != null || !isOver("tcp")) { // else the system has made room
                assertThat(thrown).hasCauseInstanceOf(PortClosed.class);
            }
            in.close(); // makes room for the end
            closing.join();
            assertThat(out.connections()).isEmpty();
        }
    }

    private static void writeMuch(SendPort out) {
        try (var message = out.newMessage()) {
            message.writeArray(new byte[MUCH]).finish();
        }
    }

    @Test
    void who_waits_for_the_message_in_anothers_hand_is_told_of_the_close() {
        var in = in("in");
        var out = connected(in);
        var message = out.newMessage();
        var waits = Background.run(() -> send(out, 2));
        var closing = Background.run(() -> out.close(LONG));
        message.writeInt(1).finish();
        message.close();
        closing.join();
        var thrown = catchThrowable(waits::join);
        if (thrown != null) { // else it was faster
            assertThat(thrown).hasCauseInstanceOf(PortClosed.class);
        }
        assertThat(receive(in)).isEqualTo(1);
    }

    @Test
    void a_send_port_closed_with_its_own_message_in_hand_keeps_nothing() {
        long before = Descriptors.selectors();
        for (int i = 0; i < SOME; i++) {
            boolean finishes = i % 2 == 0;
            var in = in("in " + i);
            var out = connected(in);
            out.waiting(WaitPolicy.SLEEP);
            var read = new CountDownLatch(1);
            var reading =
                    Background.run(() -> {
                        try (var got = in.receive()) {
                            got.readArray(new byte[MUCH]);
                            read.countDown();
                        }
                    });
            var message = out.newMessage();
            message.writeArray(new byte[MUCH]).flush();
            eventually("it is read", () -> read.getCount() == 0);
            out.close();
            assertThatThrownBy(
                            () -> {
                                try (message) {
                                    if (finishes) {
                                        message.writeInt(1).finish();
                                    }
                                }
                                throw new ConnectionLost("or nothing, where it is given up");
                            })
                    .isInstanceOfAny(ConnectionLost.class, PortClosed.class);
            assertThat(out.connections()).isEmpty();
            assertThatThrownBy(out::newMessage).isInstanceOf(PortClosed.class);
            assertThatThrownBy(reading::join).hasCauseInstanceOf(ConnectionLost.class);
            in.close();
        }
        eventually("their selectors are closed", () -> Descriptors.selectors() < before + SOME);
        eventually("their links are gone", () -> pair.here.channels().links() == 0);
    }

    @Test
    void a_port_closed_with_a_message_in_its_own_hand_is_closed() {
        try (var in = in("in")) {
            var out = connected(in);
            var m = out.newMessage();
            m.writeInt(1);
            out.close();
            assertThatThrownBy(() -> m.writeArray(new byte[1 << 22]))
                    .isInstanceOfAny(PortClosed.class, ConnectionLost.class);
            m.close();
            assertThatThrownBy(in::receive).isInstanceOf(ConnectionLost.class);
        }
    }

    @Test
    void one_closed_with_a_message_in_anothers_hand_keeps_nothing_when_that_is_closed() {
        var in = in("in");
        var out = connected(in);
        var message = out.newMessage();
        message.writeInt(1);
        Background.run(() -> out.close(SHORT)).join();
        message.close();
        assertThat(out.connections()).isEmpty();
        eventually("its link is gone", () -> pair.here.channels().links() == 0);
    }

    @Test
    void one_that_is_closed_twice_is_closed_once() {
        var in = in("in");
        var out = connected(in);
        var message = out.newMessage();
        var first = Background.run(() -> out.close(LONG));
        eventually("it is being closed", out::isClosed);
        out.close(LONG); // does not wait for the other
        assertThat(first).isNotDone();
        message.close();
        first.join();
        in.close();
        in.close();
        assertThat(out.connections()).isEmpty();
    }

    @Test
    void who_disconnects_is_told_nothing_of_what_was_lost_before() {
        var first = in("first");
        try (var out = connected(first);
                var second = in("second")) {
            first.close();
            eventually("it is known", () -> out.connections().isEmpty());
            out.disconnect();
            out.connect(pair.there.id(), "second");
            send(out, 1);
            assertThat(receive(second)).isEqualTo(1);
        }
    }

    @Test
    void connecting_again_and_again_uses_one_link() {
        try (var in = in("in");
                var out = pair.send(pair.here, type, "out")) {
            for (int i = 0; i < 50; i++) {
                out.connect(pair.there.id(), "in");
                send(out, i);
                out.disconnect();
                assertThat(receive(in)).isEqualTo(i);
                eventually(
                        "its end is read", () -> in.poll() == null && in.connections().isEmpty());
                assertThat(pair.here.channels().links()).isEqualTo(1);
            }
        }
    }

    /// Nothing is timed: of two that wait for the same thing, the one with the short limit is done
    /// and the other is not. (In shared memory an end finds room where a message does not.)
    @Nested
    class WithinALimit {
        private final ReceivePort first = in("first");
        private final ReceivePort second = in("second");
        private final SendPort hasty = connected(first);
        private final SendPort patient = connected(second);

        @Test
        void a_close_waits_so_long_for_the_message_in_anothers_hand() {
            var given = hasty.newMessage();
            var kept = patient.newMessage();
            var waits = Background.run(() -> patient.close(LONG));
            Background.run(() -> hasty.close(SHORT)).join();
            assertThatThrownBy(() -> given.writeArray(new byte[1 << 22]))
                    .isInstanceOfAny(PortClosed.class, ConnectionLost.class);
            given.close();
            assertThatThrownBy(first::receive).isInstanceOf(ConnectionLost.class);
            assertThat(waits).isNotDone();
            kept.writeInt(7).finish();
            kept.close();
            waits.join();
            assertThat(receive(second)).isEqualTo(7);
        }

        @Test
        void a_close_waits_so_long_for_receivers_to_make_room() {
            fill(hasty);
            fill(patient);
            leavesTheHastyOne(Background.run(() -> patient.close(LONG)), () -> hasty.close(SHORT));
        }

        @Test
        void so_does_a_disconnect() {
            fill(hasty);
            fill(patient);
            var there = pair.there.id();
            leavesTheHastyOne(
                    Background.run(() -> patient.disconnect(there, "second", LONG)),
                    () -> hasty.disconnect(SHORT));
            assertThatThrownBy(hasty::newMessage).isInstanceOf(NotConnected.class);
            assertThat(hasty.disconnect(there, "first", SHORT)).isFalse();
        }

        private void leavesTheHastyOne(CompletableFuture<Void> waits, Runnable leave) {
            leave.run();
            assertThat(hasty.connections()).isEmpty();
            eventually("its link is gone", () -> !firstIsConnected());
            if (isOver("loopback")) { // of a socket the system may make room at any time
                assertThat(waits).isNotDone();
            }
            second.close(); // makes room, by dropping what came
            waits.join();
            assertThat(patient.connections()).isEmpty();
        }

        /// False once everything sent was read and the end of the connection is known.
        private boolean firstIsConnected() {
            try (var _ = first.poll()) {
                return !first.connections().isEmpty();
            } catch (ConnectionLost e) {
                return false;
            }
        }
    }
}
