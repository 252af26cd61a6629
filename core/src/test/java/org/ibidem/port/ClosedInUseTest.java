package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.ibidem.Eventually.eventually;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.ibidem.Background;
import org.ibidem.Stacks;
import org.ibidem.arbitration.WaitInterrupted;
import org.ibidem.arbitration.WaitPolicy;
import org.ibidem.buffer.Frame;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedClass;

/// Ports that are closed while they are used, and what goes wrong while they close: whoever waits
/// is told, everything is given back, and the other direction of a link hears the reason.
@ParameterizedClass
@Stacks({"loopback", "shm", "tcp"})
@Timeout(60)
@Isolated("looks at the files of the process")
class ClosedInUseTest {
    private static final Duration SHORT = Duration.ofMillis(20);
    private static final Duration WHILE = Duration.ofMillis(150);
    private static final Duration LONG = ChronoUnit.FOREVER.getDuration();
    private static final int MUCH = 8 << 20;
    private static final int SOME = 12;

    /// Looks that find no room, after which there is none.
    private static final int FULL = 20;

    private final boolean isSocket;
    private final PortType type;
    private final Pair pair = new Pair();

    ClosedInUseTest(String stack) {
        this.isSocket = stack.equals("tcp");
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
        var out = pair.send(pair.here, type, "to " + in.name());
        out.connect(pair.there.id(), in.name());
        return out;
    }

    /// Until its receiver, who does not read, must make room for more. The system takes some on its
    /// way.
    private void fill(SendPort out) {
        var room = new Frame();
        for (int full = isSocket ? 0 : FULL; full <= FULL; full++) {
            while (out.sink().claim(room, 1)) {
                room.position = room.limit;
                out.sink().commit(room, Frame.MORE);
                full = isSocket ? 0 : FULL;
            }
            LockSupport.parkNanos(100_000);
        }
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

    private static boolean isUsed(SendPort out) {
        boolean free = out.turn().tryTake();
        if (free) {
            out.turn().giveBack();
        }
        return !free;
    }

    private static Throwable cause(CompletableFuture<?> failed) {
        return catchThrowable(failed::join).getCause();
    }

    @Test
    void who_flushes_or_writes_in_vain_is_told_of_the_close_and_it_goes_on() {
        for (boolean flushes : new boolean[] {true, false}) {
            if (flushes && !isSocket) {
                continue; // what is in memory is there
            }
            var in = in("in");
            var out = connected(in);
            fill(out);
            var using = Background.run(flushes ? out::flush : () -> writeMuch(out));
            eventually("it is in use", () -> isUsed(out) || using.isDone());
            var closing = Background.run(() -> out.close(LONG));
            var thrown = catchThrowable(using::join);
            if (thrown != null || !isSocket) { // else the system has made room
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

    /// Who drops what comes makes room for ever.
    @Test
    void who_writes_in_vain_is_told_that_its_receiver_has_closed() throws Exception {
        var in = in("in");
        var out = connected(in);
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
            assertThat(cause(reading)).isInstanceOf(ConnectionLost.class);
            in.close();
        }
        eventually("their selectors are closed", () -> Descriptors.selectors() < before + SOME);
        eventually("their links are gone", () -> pair.here.channels().links() == 0);
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

    /// The other direction of its link.
    private void hearsWhy(Runnable end, String why) {
        var in = in("in");
        var out = connected(in);
        try (var back = pair.receive(pair.here, type, "back");
                var reply = pair.send(pair.there, type, "reply")) {
            reply.connect(pair.here.id(), "back");
            assertThat(pair.here.channels().links()).isEqualTo(1);
            fill(out);
            ending = out;
            end.run();
            assertThat(out.connections()).isEmpty();
            assertThatThrownBy(back::receive)
                    .isInstanceOf(ConnectionLost.class)
                    .hasMessageContaining(why);
        }
        in.close();
    }

    private SendPort ending;

    @Test
    void an_end_for_which_there_is_no_room_breaks_the_link_and_says_so() {
        if (holdsNoEnd()) {
            hearsWhy(() -> ending.disconnect(SHORT), "its reader did not make room for the end");
        }
    }

    @Test
    void an_end_that_is_interrupted_breaks_the_link_and_says_so() {
        if (holdsNoEnd()) {
            hearsWhy(
                    () -> {
                        ending.waiting(WaitPolicy.SLEEP);
                        Thread.currentThread().interrupt();
                        ending.disconnect(LONG);
                        assertThat(Thread.interrupted()).isTrue();
                    },
                    "its sender was interrupted before it could say that it ends");
        }
    }

    /// In shared memory an end finds room where a message does not, and of a socket the system may
    /// make room at any time.
    private boolean holdsNoEnd() {
        return type.stack().equals("loopback");
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
    void a_receive_port_closed_in_haste_breaks_what_a_message_in_anothers_hand_comes_over() {
        var in = in("in");
        var out = connected(in);
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

    private static void sendForEver(SendPort out) {
        while (true) {
            send(out, 0);
        }
    }

    @Test
    void a_reader_that_waits_is_told_of_the_close() {
        var in = in("in");
        var out = connected(in);
        var waiting = Background.call(in::receive);
        eventually("it waits", () -> isWaiting(in));
        in.close();
        assertThat(cause(waiting)).isInstanceOf(PortClosed.class);
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
