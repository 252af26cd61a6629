package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.eventually;
import static org.ibidem.port.Traffic.fill;
import static org.ibidem.port.Traffic.receive;
import static org.ibidem.port.Traffic.send;
import static org.ibidem.port.Traffic.sendForEver;
import static org.ibidem.port.Traffic.writeForEver;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.ibidem.Background;
import org.ibidem.Stacks;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;

/// A call with a limit keeps it, also where a full link leaves no room for the end of a connection
/// that is over: a task says that end.
@ParameterizedClass
@Stacks({"loopback", "shm", "tcp"})
@Timeout(60)
class KeptLimitTest {
    private static final Duration NOW = Duration.ZERO;

    /// Longer than any call here may take, and far less than an end waits for room (10 s).
    private static final Duration NOTICEABLE = Duration.ofSeconds(5);

    private static final int SOME = 1000;

    private final PortType type;
    private final Pair pair = new Pair();
    private final CountDownLatch over = new CountDownLatch(1);
    private ReceivePort in;
    private SendPort out;

    KeptLimitTest(String stack) {
        this.type = PortType.oneToOne().stack(stack);
    }

    @BeforeEach
    void connect() {
        connect(type, "in");
    }

    /// The link is in use in both directions, so that it outlives either.
    private void connect(PortType mine, String name) {
        in = pair.receive(pair.there, mine, name);
        out = pair.connected(mine, name);
        pair.receive(pair.here, mine, name + " back");
        pair.send(pair.there, mine, "reply").connect(pair.here.id(), name + " back");
    }

    @AfterEach
    void close() {
        over.countDown();
        pair.close();
    }

    /// From now on nobody drops what its receiver does not read.
    private void keepUnread() {
        var held = new CountDownLatch(1);
        var reading =
                Background.run(() -> {
                    try (var _ = in.receive()) {
                        held.countDown();
                        over.await();
                    }
                });
        send(out, 1);
        eventually("a message is in hand there", () -> held.getCount() == 0);
        assertThat(reading).isNotDone();
    }

    private void closeReceiver() {
        Thread.currentThread().interrupt(); // so that it does not wait for the message in hand
        in.close();
        assertThat(Thread.interrupted()).isTrue();
    }

    /// Its receiver has closed, the link is full, and no task has seen to that.
    private void leaveFull() {
        keepUnread();
        var mine = out.newMessage();
        fill(out);
        closeReceiver();
        eventually("it is known", out::isTroubled);
        mine.close();
    }

    private static void keepsItsLimit(ThrowingCallable call) throws Throwable {
        long begin = System.nanoTime();
        call.call();
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(NOTICEABLE);
    }

    /// A task may have the turn for a moment.
    private boolean isTold() {
        try {
            assertThat(out.newMessage(NOW)).isNull();
            return false;
        } catch (ConnectionLost _) {
            return true;
        }
    }

    @Test
    void a_new_message_does_not_wait_for_the_end_of_a_connection() throws Throwable {
        leaveFull();
        keepsItsLimit(() -> eventually("it is told", this::isTold));
        assertThatThrownBy(() -> out.newMessage(NOW)).isInstanceOf(NotConnected.class);
    }

    @Test
    void a_message_with_a_limit_does_not_wait_for_it_either() throws Throwable {
        keepUnread();
        var begun = new CountDownLatch(1);
        var writing =
                Background.outcome(() -> {
                    try (var message = out.newMessage(NOTICEABLE)) {
                        begun.countDown();
                        writeForEver(message); // as much as the link holds
                    }
                    return "it was written";
                });
        eventually("it is begun", () -> begun.getCount() == 0);
        keepsItsLimit(() -> {
            closeReceiver();
            assertThat(writing.join()).isInstanceOf(ConnectionLost.class);
        });
    }

    @Test
    void a_connect_does_not_wait_for_the_end_of_a_connection() throws Throwable {
        leaveFull();
        try (var second = pair.receive(pair.there, type, "second")) {
            keepsItsLimit(() -> out.connect(pair.there.id(), "second", NOTICEABLE));
            assertThatThrownBy(() -> send(out, 7)).isInstanceOf(ConnectionLost.class); // of "in"
            send(out, 8);
            assertThat(receive(second)).isEqualTo(8);
        }
    }

    @Test
    void lost_connections_are_told_without_waiting() throws Throwable {
        connect(type.with(Capability.CONNECTION_DOWNCALLS), "downcalls");
        leaveFull();
        keepsItsLimit(() -> eventually("it is told", () -> !out.lostConnections().isEmpty()));
    }

    /// What fills the link is dropped by its receiver.
    @Test
    void the_end_is_said_once_there_is_room_and_the_link_serves_the_next() throws Throwable {
        var mine = out.newMessage();
        fill(out);
        in.close();
        eventually("it is known", out::isTroubled);
        mine.close();
        keepsItsLimit(() -> eventually("it is told", this::isTold));
        try (var second = pair.receive(pair.there, type, "second")) {
            eventually("its direction is free", () -> servesTheNext(second));
        }
    }

    /// Over the one link there is; one that was made meanwhile ends when it has long been idle.
    private boolean servesTheNext(ReceivePort second) {
        if (pair.here.channels().links() > 1) {
            return false;
        }
        try (var next = pair.connected(type, second.name())) {
            send(next, 2);
            assertThat(receive(second)).isEqualTo(2);
            return pair.here.channels().links() == 1;
        }
    }

    /// A task has the turn, and waits for room as long as it takes.
    @Test
    void a_disconnect_does_not_wait_for_what_was_finished_before() throws Throwable {
        while (out.isFlushed() && offers()) {
            // more, until a part of one is left here or there is no room for another
        }
        keepsItsLimit(() ->
                assertThat(Background.call(() -> out.disconnect(NOW)))
                        .succeedsWithin(NOTICEABLE)
                        .isEqualTo(false));
    }

    private boolean offers() {
        try (var message = out.newMessage(NOW)) {
            if (message != null) {
                message.writeArray(new byte[SOME]).finish();
            }
            return message != null;
        } catch (WriteTimedOut _) {
            return true;
        }
    }

    @Test
    void a_receive_port_does_not_wait_for_a_message_in_anothers_hand() throws Throwable {
        keepUnread();
        keepsItsLimit(() -> assertThat(in.close(NOW)).isFalse());
        assertThat(out.isTroubled()).isFalse(); // nothing is torn from the reader's hand
        over.countDown();
        assertThatThrownBy(() -> sendForEver(out))
                .isInstanceOf(ConnectionLost.class)
                .hasMessageEndingWith("is over: the receive port was closed");
    }
}
