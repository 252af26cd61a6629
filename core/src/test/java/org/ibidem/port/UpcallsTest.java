package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.eventually;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.ibidem.Background;
import org.ibidem.Stacks;
import org.ibidem.station.NodeRuntime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedClass;

/// Messages and connections handed to the program.
@ParameterizedClass
@Stacks({"loopback", "shm", "tcp"})
@Timeout(60)
@Execution(ExecutionMode.CONCURRENT)
class UpcallsTest {
    private static final int COUNT = 500;

    private final PortType type;
    private final Pair pair = new Pair();
    private final NodeRuntime third = pair.runtime();
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final List<Integer> got = new CopyOnWriteArrayList<>();

    UpcallsTest(String stack) {
        this.type =
                PortType.manyToOne()
                        .stack(stack)
                        .with(
                                Capability.UPCALLS,
                                Capability.POLLED_UPCALLS,
                                Capability.CONNECTION_UPCALLS);
    }

    @AfterEach
    void close() throws Exception {
        for (var each : opened.reversed()) {
            each.close();
        }
        third.close();
        pair.close();
    }

    private ReceivePort port(ReceiveSetup setup) {
        var in = pair.receive(pair.there, type, "in", setup);
        opened.add(in);
        return in;
    }

    private ReceivePort port(MessageUpcall upcall) {
        return port(ReceiveSetup.USUAL.upcall(upcall));
    }

    private SendPort sender(NodeRuntime node) {
        var out = pair.send(node, type, "out");
        opened.add(out);
        out.connect(pair.there.id(), "in");
        return out;
    }

    /// The two have a service link: what follows does not take as long as to make one.
    private void acquaint(NodeRuntime node) {
        try (var in = pair.receive(pair.there, PortType.oneToOne(), "hello");
                var out = pair.send(node, PortType.oneToOne(), "hello")) {
            out.connect(pair.there.id(), in.name());
        }
    }

    private static void send(SendPort out, int value) {
        try (var message = out.newMessage()) {
            message.writeInt(value).finish();
        }
    }

    @Test
    void messages_are_handed_over_in_order_one_at_a_time() {
        var running = new AtomicInteger();
        var most = new AtomicInteger();
        var in =
                port(message -> {
                    most.accumulateAndGet(running.incrementAndGet(), Math::max);
                    got.add(message.readInt());
                    running.decrementAndGet();
                });
        var one = sender(pair.here);
        var other = sender(third);
        for (int i = 0; i < COUNT; i++) {
            send(one, i);
            send(other, -i);
        }
        eventually("all are there", () -> got.size() == 2 * COUNT);
        assertThat(got.stream().filter(i -> i > 0)).isSorted().hasSize(COUNT - 1);
        assertThat(got.stream().filter(i -> i < 0).map(i -> -i)).isSorted().hasSize(COUNT - 1);
        assertThat(most).hasValue(1);
        eventually("the last is counted", () -> in.messages() == 2 * COUNT);
    }

    @Test
    void a_handler_that_blocks_stalls_no_other_port() {
        var go = new CountDownLatch(1);
        port(message -> {
            go.await();
            got.add(message.readInt());
        });
        var out = sender(pair.here);
        send(out, 1);
        var answered = new CompletableFuture<Integer>();
        try (var other =
                        pair.receive(
                                pair.there,
                                type,
                                "other",
                                ReceiveSetup.USUAL.upcall(m -> answered.complete(m.readInt())));
                var toOther = pair.send(pair.here, type, "to other")) {
            toOther.connect(pair.there.id(), "other");
            send(toOther, 2);
            assertThat(answered.join()).isEqualTo(2);
            assertThat(other.connections()).hasSize(1);
        }
        assertThat(got).isEmpty();
        go.countDown();
        eventually("the first goes on", () -> got.equals(List.of(1)));
    }

    @Test
    void a_handler_may_send_and_receive() {
        var explicit = PortType.manyToOne().stack(type.stack());
        try (var question = pair.receive(pair.here, explicit, "question");
                var answer = pair.receive(pair.there, explicit, "answer");
                var ask = pair.send(pair.there, explicit, "ask");
                var reply = pair.send(pair.here, explicit, "reply")) {
            ask.connect(pair.here.id(), "question");
            reply.connect(pair.there.id(), "answer");
            port(message -> {
                send(ask, message.readInt());
                try (var back = answer.receive()) {
                    got.add(back.readInt());
                }
            });
            var out = sender(pair.here);
            for (int i = 0; i < 10; i++) {
                send(out, i);
                try (var asked = question.receive()) {
                    send(reply, asked.readInt() * 2);
                }
            }
            eventually("all are answered", () -> got.size() == 10);
            assertThat(got.getLast()).isEqualTo(18);
        }
    }

    @Test
    void a_handler_that_closes_its_message_early_lets_the_next_begin() {
        var first = new CountDownLatch(1);
        var wrong = new CompletableFuture<Throwable>();
        port(message -> {
            int number = message.readInt();
            message.close();
            if (number == 1) {
                first.await();
                try {
                    message.readInt();
                } catch (IllegalStateException e) {
                    wrong.complete(e);
                }
            }
            got.add(number);
        });
        var out = sender(pair.here);
        send(out, 1);
        send(out, 2);
        send(out, 3);
        eventually("the others are served", () -> Set.copyOf(got).equals(Set.of(2, 3)));
        first.countDown();
        eventually("the first ends", () -> got.size() == 3);
        assertThat(got.getLast()).isEqualTo(1);
        assertThat(wrong.join()).hasMessageContaining("the message is closed");
    }

    @Test
    void a_handler_that_throws_loses_its_message_and_the_port_goes_on() {
        port(message -> {
            int number = message.readInt();
            if (number == 1) {
                throw new IllegalArgumentException("one");
            }
            got.add(number);
        });
        var out = sender(pair.here);
        send(out, 1);
        send(out, 2);
        eventually("the next is served", () -> got.equals(List.of(2)));
    }

    @Test
    void a_handler_that_runs_into_an_error_does_not_stop_the_port() {
        port(message -> {
            int number = message.readInt();
            if (number == 1) {
                throw new AssertionError("one");
            }
            got.add(number);
        });
        var out = sender(pair.here);
        send(out, 1);
        send(out, 2);
        eventually("the next is served", () -> got.equals(List.of(2)));
    }

    @Test
    void a_message_given_up_behind_what_was_read_of_it_does_not_stop_the_port() {
        var begun = new CountDownLatch(1);
        port(message -> {
            got.add(message.readInt());
            begun.countDown();
        });
        var out = sender(pair.here);
        try (var message = out.newMessage()) {
            message.writeInt(1).flush();
            begun.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        send(out, 2);
        eventually("the next is served", () -> got.equals(List.of(1, 2)));
    }

    @Test
    void none_begins_while_they_are_disabled() {
        var in = port(message -> got.add(message.readInt()));
        var out = sender(pair.here);
        send(out, 1);
        eventually("it is served", () -> got.size() == 1);
        in.disableUpcalls();
        send(out, 2);
        send(out, 3);
        var elsewhere = new CopyOnWriteArrayList<Integer>();
        try (var _ =
                        pair.receive(
                                pair.there,
                                type,
                                "other",
                                ReceiveSetup.USUAL.upcall(m -> elsewhere.add(m.readInt())));
                var toOther = pair.send(pair.here, type, "to other")) {
            toOther.connect(pair.there.id(), "other");
            for (int i = 0; i < COUNT; i++) {
                send(toOther, i); // later than both, on the same way
            }
            eventually("another port is served", () -> elsewhere.size() == COUNT);
        }
        assertThat(got).containsExactly(1);
        in.enableUpcalls();
        eventually("the others are served", () -> got.equals(List.of(1, 2, 3)));
    }

    @Test
    @Tag("slow")
    void a_port_set_up_disabled_serves_nobody_until_it_is_enabled() {
        var in = port(ReceiveSetup.USUAL.upcall(message -> got.add(message.readInt())).disabled());
        var out = pair.send(pair.here, type, "out");
        opened.add(out);
        acquaint(pair.here);
        var refused =
                Pair.refused(() -> out.connect(pair.there.id(), "in", Duration.ofMillis(500)));
        assertThat(refused.why()).isEqualTo(ConnectRefused.Why.DISABLED);
        var patience = Duration.ofDays(1); // so only word from the port can end the wait in time
        var connecting = Background.run(() -> out.connect(pair.there.id(), "in", patience));
        eventually("it waits", () -> pair.there.channels().waiting() == 1);
        in.enableConnections();
        connecting.join();
        send(out, 1);
        assertThat(got).isEmpty();
        in.enableUpcalls();
        eventually("it is served", () -> got.equals(List.of(1)));
    }

    @Test
    @Tag("slow")
    void who_is_connected_goes_on_while_new_ones_wait_for_connections_to_be_enabled() {
        var in = port(message -> got.add(message.readInt()));
        var out = sender(pair.here);
        in.disableConnections();
        send(out, 1);
        eventually("it is served", () -> got.equals(List.of(1)));
        var late = pair.send(third, type, "late");
        opened.add(late);
        acquaint(third);
        var refused =
                Pair.refused(() -> late.connect(pair.there.id(), "in", Duration.ofMillis(500)));
        assertThat(refused.why()).isEqualTo(ConnectRefused.Why.DISABLED);
        assertThat(refused).hasMessageContaining("enableConnections()");
        var connecting =
                Background.run(() -> late.connect(pair.there.id(), "in", Duration.ofDays(1)));
        eventually("it waits", () -> pair.there.channels().waiting() == 1);
        in.enableConnections();
        connecting.join();
        send(late, 2);
        send(out, 3);
        eventually("both are served", () -> Set.copyOf(got).equals(Set.of(1, 2, 3)));
    }

    @Test
    void nobody_is_asked_about_a_connection_while_a_handler_runs() {
        var go = new CountDownLatch(1);
        var begun = new CountDownLatch(1);
        var asked = new CopyOnWriteArrayList<Integer>();
        port(
                ReceiveSetup.USUAL
                        .upcall(message -> {
                            begun.countDown();
                            go.await();
                            got.add(message.readInt());
                        })
                        .connections(
                                new ConnectionUpcall() {
                                    @Override
                                    public boolean connecting(ReceivePort port, Origin from) {
                                        asked.add(got.size());
                                        return true;
                                    }
                                }));
        var out = sender(pair.here);
        send(out, 1);
        var late = pair.send(third, type, "late");
        opened.add(late);
        var connecting =
                Background.run(() -> {
                    begun.await();
                    late.connect(pair.there.id(), "in");
                });
        assertThatThrownBy(() -> connecting.get(100, TimeUnit.MILLISECONDS))
                .isInstanceOf(TimeoutException.class);
        assertThat(asked).containsExactly(0);
        go.countDown();
        connecting.join();
        assertThat(asked).containsExactly(0, 1);
    }

    @Test
    void polled_upcalls_run_in_the_thread_that_polls() {
        var threads = new ArrayList<Thread>();
        var in =
                port(
                        ReceiveSetup.USUAL.polledUpcall(message -> {
                            threads.add(Thread.currentThread());
                            got.add(message.readInt());
                        }));
        var out = sender(pair.here);
        assertThat(in.runUpcall()).isFalse();
        send(out, 1);
        send(out, 2);
        in.disableUpcalls();
        for (int i = 0; i < COUNT; i++) {
            assertThat(in.runUpcall()).as("while disabled").isFalse();
        }
        in.enableUpcalls();
        eventually("one is there", in::runUpcall);
        assertThat(got).containsExactly(1);
        eventually("another is there", in::runUpcall);
        assertThat(got).containsExactly(1, 2);
        assertThat(threads).containsOnly(Thread.currentThread());
        assertThatThrownBy(in::receive)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("upcall");
    }

    @Test
    void the_program_may_refuse_a_connection() {
        port(
                ReceiveSetup.USUAL.connections(
                        new ConnectionUpcall() {
                            @Override
                            public boolean connecting(ReceivePort port, Origin from) {
                                return from.node().equals(pair.here.id());
                            }
                        }));
        sender(pair.here);
        var refused = pair.send(third, type, "refused");
        opened.add(refused);
        assertThatThrownBy(() -> refused.connect(pair.there.id(), "in"))
                .isInstanceOfSatisfying(
                        ConnectRefused.class,
                        e -> assertThat(e.why()).isEqualTo(ConnectRefused.Why.UNWANTED));
    }

    @Test
    @Tag("slow")
    void connections_that_end_are_told_after_their_messages_and_never_during_another_upcall() {
        var running = new Semaphore(1);
        var told = new CopyOnWriteArrayList<Lost<Origin>>();
        var counted = new CopyOnWriteArrayList<Integer>();
        port(
                ReceiveSetup.USUAL
                        .upcall(message -> {
                            assertThat(running.tryAcquire()).isTrue();
                            got.add(message.readInt());
                            running.release();
                        })
                        .connections(
                                new ConnectionUpcall() {
                                    @Override
                                    public void lost(ReceivePort port, Lost<Origin> connection) {
                                        assertThat(running.tryAcquire()).isTrue();
                                        counted.add(got.size());
                                        told.add(connection);
                                        running.release();
                                    }
                                }));
        var out = sender(pair.here);
        for (int i = 0; i < 50; i++) {
            send(out, i);
        }
        out.disconnect();
        eventually("the end is told", () -> told.size() == 1);
        assertThat(told.getFirst().broken()).isFalse();
        assertThat(told.getFirst().why()).isEqualTo("its sender closed it");
        assertThat(told.getFirst().peer()).isEqualTo(new Origin(pair.here.id(), "out"));
        assertThat(counted).containsExactly(50);
        var breaks = sender(third);
        send(breaks, 1);
        third.channels().close();
        eventually("the break is told", () -> told.size() == 2);
        assertThat(told.getLast().broken()).isTrue();
        assertThat(told.getLast().why()).isNotBlank().isNotEqualTo(told.getFirst().why());
        assertThat(got).hasSize(51);
    }

    @Test
    void a_closed_port_ends_its_thread() {
        var in = port(message -> got.add(message.readInt()));
        var out = sender(pair.here);
        send(out, 1);
        eventually("it is served", () -> got.size() == 1);
        in.close();
        eventually("the sender knows", () -> out.connections().isEmpty());
    }

    @Test
    void what_the_type_does_not_have_is_refused() {
        var plain = PortType.oneToOne().stack(type.stack());
        assertThatThrownBy(() ->
                        pair.receive(
                                pair.there, plain, "plain", ReceiveSetup.USUAL.upcall(_ -> {})))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'upcalls'")
                .hasMessageContaining("PortType.with(UPCALLS)");
        var bare = plain.without(Capability.EXPLICIT);
        try (var in = pair.receive(pair.there, bare, "bare")) {
            assertThatThrownBy(in::receive).hasMessageContaining("'explicit'");
            assertThatThrownBy(in::poll).hasMessageContaining("'explicit'");
        }
        try (var in = pair.receive(pair.there, plain.without(Capability.TIMED), "untimed")) {
            assertThatThrownBy(() -> in.receive(Duration.ZERO)).hasMessageContaining("'timed'");
            assertThat(in.poll()).isNull();
        }
    }
}
