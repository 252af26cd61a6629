package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.eventually;
import static org.ibidem.port.Traffic.receive;
import static org.ibidem.port.Traffic.send;
import static org.ibidem.port.Traffic.writeForEver;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.ibidem.Stacks;
import org.ibidem.arbitration.WaitInterrupted;
import org.ibidem.arbitration.WaitPolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;

/// A message whose writer or reader is interrupted: a thread that has no need to wait goes on, one
/// that must wait gives the message up or has its rest skipped, and the next message is whole.
@ParameterizedClass
@Stacks({"loopback", "shm", "tcp"})
@Timeout(60)
class InterruptedMessageTest {
    private static final int TIMES = 20;
    private static final int GROWS = 4 << 20;

    private final PortType type;
    private final Pair pair = new Pair();

    InterruptedMessageTest(String stack) {
        this.type = PortType.oneToOne().stack(stack);
    }

    @AfterEach
    void close() {
        pair.close();
    }

    private SendPort connected(String port) {
        return pair.connected(type, port);
    }

    /// A writer wakes its reader and has its ring grow, though it is interrupted.
    @Test
    void a_thread_that_was_interrupted_leaves_the_link_as_it_was() throws InterruptedException {
        var setup = SendSetup.USUAL.waiting(WaitPolicy.SPIN_ONLY);
        try (var in = pair.receive(pair.there, type, "in");
                var out = SendPort.open(pair.here, type, "out", setup)) {
            in.waiting(WaitPolicy.SLEEP);
            out.connect(pair.there.id(), "in");
            var kept = new CompletableFuture<Boolean>();
            var writer =
                    Thread.startVirtualThread(() -> {
                        boolean all = true;
                        for (int i = 0; i < TIMES; i++) {
                            all &= interrupted(out, i);
                        }
                        write(out, TIMES);
                        kept.complete(all);
                    });
            while (!isLast(in)) {
                // it comes
            }
            writer.join();
            assertThat(kept).isCompletedWithValue(true);
        }
    }

    private static boolean isLast(ReceivePort in) {
        try (var message = in.receive()) {
            int i = message.readInt();
            message.readArray(new byte[size(i)]);
            return i == TIMES;
        } catch (MessageAbandoned _) {
            return false;
        }
    }

    private static int size(int i) {
        return i % 2 == 0 ? 8 : GROWS;
    }

    /// Answers whether its status was kept.
    private static boolean interrupted(SendPort out, int i) {
        Thread.currentThread().interrupt();
        try {
            write(out, i);
        } catch (WaitInterrupted _) {
            // it had to wait
        }
        return Thread.interrupted();
    }

    private static void write(SendPort out, int i) {
        try (var message = out.newMessage()) {
            message.writeInt(i).writeArray(new byte[size(i)]).finish();
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
                                    writeForEver(m);
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

    private static void interruptedInFirst(ReceivePort in, SendPort out) {
        try (var m = out.newMessage()) {
            m.writeInt(1).flush();
            closeInterrupted(in.receive());
        } // without finish
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

    private void breakWhileSkipped(ReceivePort in) {
        var out = pair.send(pair.here, in.type(), "out");
        out.connect(pair.there.id(), "in");
        var m = out.newMessage();
        m.writeInt(1).flush();
        closeInterrupted(in.receive());
        out.close(); // with a message in hand
        m.close();
    }

    private static void closeInterrupted(ReadMessage message) {
        Thread.currentThread().interrupt();
        assertThatThrownBy(message::close).isInstanceOf(WaitInterrupted.class);
        assertThat(Thread.interrupted()).isTrue();
    }
}
