package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.eventually;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.ibidem.Background;
import org.ibidem.Stacks;
import org.ibidem.arbitration.WaitInterrupted;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedClass;

/// Ends that must harm nobody else: the other direction of a link, the next channel on it, the next
/// message.
@ParameterizedClass
@Stacks({"loopback", "shm", "tcp"})
@Timeout(60)
@Isolated("looks at the files of the process")
class ClosingTest {
    private static final int SOME = 12;

    private final PortType type;
    private final Pair pair = new Pair();

    ClosingTest(String stack) {
        this.type = PortType.oneToOne().stack(stack);
    }

    @AfterEach
    void close() {
        pair.close();
    }

    private SendPort connected(String port) {
        var out = pair.send(pair.here, type, "to " + port);
        out.connect(pair.there.id(), port);
        return out;
    }

    @Test
    void a_port_closed_with_a_limit_waits_until_its_senders_have_gone() throws Exception {
        int count = 500;
        var in = pair.receive(pair.there, type, "in");
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
        var in = pair.receive(pair.there, type, "in");
        try (var out = connected("in")) {
            eventually("it is connected", () -> in.connections().size() == 1);
            assertThat(in.close(Duration.ofMillis(50))).isFalse();
            assertThatThrownBy(() -> sendForEver(out))
                    .isInstanceOf(ConnectionLost.class)
                    .hasMessageContaining("the receive port was closed");
        }
    }

    @Test
    void a_sender_left_by_its_receiver_says_end_once_and_the_direction_serves_the_next() {
        var first = pair.receive(pair.there, type, "first");
        var left = connected("first");
        try (var second = pair.receive(pair.there, type, "second")) {
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
    void a_receiver_that_closed_under_a_message_is_let_go_when_that_was_given_up() {
        var in = pair.receive(pair.there, type, "in");
        try (var out = connected("in");
                var _ = pair.receive(pair.there, type, "other")) {
            var message = out.newMessage();
            in.close();
            connected("other").close(); // what is said later is heard later
            message.close();
            eventually("it is let go", () -> out.connections().isEmpty());
        }
    }

    @Test
    void a_receiver_that_closes_under_a_blocked_sender_leaves_the_other_direction_alone()
            throws InterruptedException {
        var in = pair.receive(pair.there, type, "in");
        try (var back = pair.receive(pair.here, type, "back");
                var out = connected("in");
                var reply = pair.send(pair.there, type, "reply")) {
            reply.connect(pair.here.id(), "back");
            assertThat(pair.here.channels().links()).isEqualTo(1);
            var lost = new CountDownLatch(1);
            Thread.ofPlatform()
                    .start(() -> {
                        try (var m = out.newMessage()) {
                            while (true) {
                                m.writeArray(new byte[100_000]);
                            }
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
    void a_writer_interrupted_in_a_message_does_not_glue_it_to_the_next()
            throws InterruptedException {
        try (var in = pair.receive(pair.there, type, "in");
                var out = connected("in")) {
            var interrupted = new CountDownLatch(1);
            var writer =
                    Thread.ofPlatform()
                            .start(() -> {
                                try (var m = out.newMessage()) {
                                    while (true) {
                                        m.writeArray(new byte[100_000]);
                                    }
                                } catch (WaitInterrupted e) {
                                    interrupted.countDown();
                                }
                            });
            try (var m = in.receive()) {
                m.readArray(new byte[1]);
                writer.interrupt();
                assertThatThrownBy(
                                () -> {
                                    while (true) {
                                        m.readArray(new byte[9_999]).readArray(new byte[1]);
                                    }
                                })
                        .isInstanceOf(MessageAbandoned.class);
            }
            interrupted.await();
            send(out, 7);
            assertThat(receive(in)).isEqualTo(7);
        }
    }

    @Test
    void a_reader_interrupted_in_a_message_does_not_take_its_rest_for_another() {
        for (var reading : List.of(type, type.with(Capability.UNCHECKED))) {
            try (var in = pair.receive(pair.there, reading, "in");
                    var out = pair.send(pair.here, reading, "out")) {
                out.connect(pair.there.id(), "in");
                try (var m = out.newMessage()) {
                    m.writeInt(1).flush();
                    var got = in.receive();
                    assertThat(got.readInt()).isEqualTo(1);
                    closeInterrupted(got);
                    assertThat(in.poll()).isNull();
                    m.writeInt(2).flush();
                    assertThat(in.poll()).isNull();
                    m.writeInt(3).finish();
                }
                send(out, 7);
                assertThat(receive(in)).isEqualTo(7);
            }
        }
    }

    @Test
    void nor_does_it_hear_of_one_that_is_given_up_later() {
        try (var in = pair.receive(pair.there, type, "in");
                var out = connected("in")) {
            interruptedInFirst(in, out);
            send(out, 7);
            assertThat(receive(in)).isEqualTo(7);
        }
    }

    @Test
    void a_link_that_breaks_while_the_rest_is_skipped_is_told_once() {
        try (var in = pair.receive(pair.there, type, "in")) {
            breakWhileSkipped(in);
            assertThatThrownBy(in::receive).isInstanceOf(ConnectionLost.class);
            assertThat(in.poll()).isNull();
            assertThat(in.connections()).isEmpty();
        }
    }

    @Test
    void such_a_loss_is_listed_and_not_thrown_where_the_type_says_so() {
        var listed = type.with(Capability.CONNECTION_DOWNCALLS);
        try (var in = pair.receive(pair.there, listed, "in")) {
            breakWhileSkipped(in);
            var lost = new ArrayList<Lost<Origin>>();
            eventually(
                    "it is told",
                    () -> {
                        assertThat(in.poll()).isNull();
                        lost.addAll(in.lostConnections());
                        return !lost.isEmpty();
                    });
            assertThat(in.poll()).isNull();
            assertThat(in.lostConnections()).isEmpty();
            assertThat(lost).hasSize(1);
        }
    }

    @Test
    void such_a_loss_is_told_by_the_upcall_alone_where_there_is_one() {
        var asked = type.with(Capability.CONNECTION_UPCALLS);
        var told = new CopyOnWriteArrayList<Lost<Origin>>();
        var setup =
                ReceiveSetup.USUAL.connections(
                        new ConnectionUpcall() {
                            @Override
                            public void lost(ReceivePort port, Lost<Origin> connection) {
                                told.add(connection);
                            }
                        });
        try (var in = pair.receive(pair.there, asked, "in", setup)) {
            breakWhileSkipped(in);
            eventually(
                    "it is told",
                    () -> {
                        assertThat(in.poll()).isNull();
                        return !told.isEmpty();
                    });
            assertThat(in.poll()).isNull();
            assertThat(told).hasSize(1);
        }
    }

    /// As `close()` does in other systems.
    @Test
    void a_port_may_be_closed_when_all_have_left_however_long_that_takes() {
        try (var in = pair.receive(pair.there, type, "in")) {
            assertThat(in.close(ChronoUnit.FOREVER.getDuration())).isTrue();
        }
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

    private void breakWhileSkipped(ReceivePort in) {
        var out = pair.send(pair.here, in.type(), "out");
        out.connect(pair.there.id(), "in");
        var m = out.newMessage();
        m.writeInt(1).flush();
        closeInterrupted(in.receive());
        out.close(); // with a message in hand
        m.close();
    }

    private static void interruptedInFirst(ReceivePort in, SendPort out) {
        try (var m = out.newMessage()) {
            m.writeInt(1).flush();
            closeInterrupted(in.receive());
        } // without finish
    }

    private static void closeInterrupted(ReadMessage message) {
        Thread.currentThread().interrupt();
        assertThatThrownBy(message::close).isInstanceOf(WaitInterrupted.class);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void a_port_closed_with_a_message_in_its_own_hand_is_closed() {
        try (var in = pair.receive(pair.there, type, "in")) {
            var out = connected("in");
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
    void connecting_again_and_again_uses_one_link() {
        try (var in = pair.receive(pair.there, type, "in");
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

    private static void sendForEver(SendPort out) {
        while (true) {
            send(out, 0);
        }
    }

    private static void send(SendPort out, int value) {
        try (var m = out.newMessage()) {
            m.writeInt(value).finish();
        }
    }

    private static int receive(ReceivePort in) {
        try (var m = in.receive()) {
            return m.readInt();
        }
    }
}
