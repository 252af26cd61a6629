package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.ibidem.Eventually.eventually;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.ibidem.Background;
import org.ibidem.Stacks;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;

/// What becomes of a connection about which the program is asked.
@ParameterizedClass
@Stacks({"loopback", "shm", "tcp"})
@Timeout(60)
class ConnectionUpcallsTest {
    /// Longer than the tests may take.
    private static final Duration LONG = Duration.ofMinutes(5);

    private final PortType type;
    private final Pair pair = new Pair();
    private final List<AutoCloseable> opened = new ArrayList<>();

    ConnectionUpcallsTest(String stack) {
        this.type = PortType.manyToOne().stack(stack).with(Capability.CONNECTION_UPCALLS);
    }

    @AfterEach
    void close() throws Exception {
        for (var each : opened.reversed()) {
            each.close();
        }
        pair.close();
    }

    private ReceivePort port(PortType its, ReceiveSetup setup) {
        var in = pair.receive(pair.there, its, "in", setup);
        opened.add(in);
        return in;
    }

    private ReceivePort in() {
        return (ReceivePort) opened.getFirst();
    }

    private SendPort sender(PortType its, String name) {
        var out = pair.send(pair.here, its, name);
        opened.add(out);
        return out;
    }

    private static void send(SendPort out, int value) {
        try (var message = out.newMessage()) {
            message.writeInt(value).finish();
        }
    }

    /// Whatever it throws, the place it would have had is free for another.
    @Test
    void a_connection_upcall_that_throws_refuses() {
        var one = PortType.oneToOne().stack(type.stack()).with(Capability.CONNECTION_UPCALLS);
        var setup =
                ReceiveSetup.USUAL.connections(
                        new ConnectionUpcall() {
                            @Override
                            public boolean connecting(ReceivePort port, Origin from) {
                                if (from.port().equals("exception")) {
                                    throw new IllegalArgumentException("of the program");
                                }
                                assertThat(from.port()).isEqualTo("wanted"); // or an error
                                return true;
                            }
                        });
        port(one, setup);
        for (var name : List.of("exception", "error")) {
            var refused = sender(one, name);
            assertThatThrownBy(() -> refused.connect(pair.there.id(), "in"))
                    .isInstanceOfSatisfying(
                            ConnectRefused.class,
                            e -> assertThat(e.why()).isEqualTo(ConnectRefused.Why.UNWANTED))
                    .hasMessageContaining("its connection upcall failed");
        }
        sender(one, "wanted").connect(pair.there.id(), "in");
    }

    /// Asks to be connected while the program is asked about another, whose place it would have.
    ///
    /// @param wanted what the program answers
    private CompletableFuture<Void> whileAnotherIsConnecting(boolean wanted) {
        var one = PortType.oneToOne().stack(type.stack()).with(Capability.CONNECTION_UPCALLS);
        var asked = new CountDownLatch(1);
        var answer = new CountDownLatch(1);
        port(
                one,
                ReceiveSetup.USUAL.connections(
                        new ConnectionUpcall() {
                            @Override
                            public boolean connecting(ReceivePort port, Origin from) {
                                asked.countDown();
                                await(answer);
                                return wanted || from.port().equals("second");
                            }
                        }));
        var first = sender(one, "first");
        var second = sender(one, "second");
        var connecting = Background.run(() -> first.connect(pair.there.id(), "in", LONG));
        await(asked);
        var waiting = Background.run(() -> second.connect(pair.there.id(), "in", LONG));
        eventually(
                "the second waits", () -> waiting.isDone() || pair.there.channels().waiting() == 1);
        answer.countDown();
        assertThat(catchThrowable(connecting::join) == null).isEqualTo(wanted);
        return waiting;
    }

    @Test
    void a_place_kept_for_another_is_had_when_that_one_does_not_get_it() {
        whileAnotherIsConnecting(false).join();
        var only = List.of(new Origin(pair.here.id(), "second"));
        eventually("it is connected", () -> in().connections().equals(only));
    }

    @Test
    void a_place_kept_for_another_is_refused_as_soon_as_that_one_has_it() {
        assertThatThrownBy(whileAnotherIsConnecting(true)::join)
                .hasCauseInstanceOf(ConnectRefused.class)
                .hasMessageContaining("connected to port 'first'");
        var only = List.of(new Origin(pair.here.id(), "first"));
        assertThat(in().connections()).isEqualTo(only);
    }

    /// The direction of a link that is free already would be taken for good.
    @Test
    @Tag("slow")
    void who_gives_up_while_the_program_is_asked_leaves_no_connection() {
        var answer = new CountDownLatch(1);
        var answered = new CountDownLatch(1);
        var in =
                port(
                        type,
                        ReceiveSetup.USUAL.connections(
                                new ConnectionUpcall() {
                                    @Override
                                    public boolean connecting(ReceivePort port, Origin from) {
                                        if (from.port().equals("late")) {
                                            await(answer);
                                            answered.countDown();
                                        }
                                        return true;
                                    }
                                }));
        var out = sender(type, "out");
        out.connect(pair.there.id(), "in");
        eventually("it is connected", () -> in.connections().size() == 1);
        out.disconnect(pair.there.id(), "in");
        eventually("the link is free", () -> in.poll() == null && in.connections().isEmpty());
        var late = sender(type, "late");
        assertThatThrownBy(() -> late.connect(pair.there.id(), "in", Duration.ofSeconds(2)))
                .hasMessageContaining("did not answer in time");
        answer.countDown();
        await(answered);
        out.connect(pair.there.id(), "in"); // is answered after it
        send(out, 1);
        assertThat(receive(in)).isEqualTo(1);
        var only = List.of(new Origin(pair.here.id(), "out"));
        eventually("only it is there", () -> in.poll() == null && in.connections().equals(only));
        late.connect(pair.there.id(), "in");
    }

    @Test
    void a_program_that_throws_when_told_of_a_connection_gets_messages_and_is_told_of_others() {
        var told = new CopyOnWriteArrayList<Origin>();
        var got = new CopyOnWriteArrayList<Integer>();
        port(
                type.with(Capability.UPCALLS),
                ReceiveSetup.USUAL
                        .upcall(message -> got.add(message.readInt()))
                        .connections(
                                new ConnectionUpcall() {
                                    @Override
                                    public void lost(ReceivePort port, Lost<Origin> connection) {
                                        told.add(connection.peer());
                                        throw new IllegalStateException("of the program");
                                    }
                                }));
        var first = sender(type.with(Capability.UPCALLS), "first");
        first.connect(pair.there.id(), "in");
        first.disconnect();
        eventually("it is told", () -> told.size() == 1);
        var out = sender(type.with(Capability.UPCALLS), "out");
        out.connect(pair.there.id(), "in");
        send(out, 1);
        eventually("a message is served", () -> got.equals(List.of(1)));
        out.disconnect();
        eventually("it is told again", () -> told.size() == 2);
    }

    @Test
    void nobody_is_asked_about_a_connection_to_a_port_that_is_closed_while_an_upcall_runs()
            throws Exception {
        var its = type.with(Capability.UPCALLS);
        var asked = new CopyOnWriteArrayList<String>();
        var runs = new CountDownLatch(1);
        var goOn = new CountDownLatch(1);
        var in =
                port(
                        its,
                        ReceiveSetup.USUAL
                                .upcall(_ -> {
                                    runs.countDown();
                                    await(goOn);
                                })
                                .connections(
                                        new ConnectionUpcall() {
                                            @Override
                                            public boolean connecting(
                                                    ReceivePort port, Origin from) {
                                                asked.add(from.port());
                                                return true;
                                            }
                                        }));
        var first = sender(its, "first");
        first.connect(pair.there.id(), "in");
        send(first, 1);
        await(runs);
        var second = sender(its, "second");
        var connecting = Background.run(() -> second.connect(pair.there.id(), "in", LONG));
        var handOver = field(in.upcalls(), "handOver");
        var lock = (ReentrantLock) field(handOver, "lock");
        var changed = (Condition) field(handOver, "changed");
        eventually("it waits", () -> hasWaiters(lock, changed));
        var closing = Background.run(in::close);
        assertThatThrownBy(connecting::join)
                .hasCauseInstanceOf(ConnectRefused.class)
                .hasMessageContaining("another upcall of it has run");
        assertThat(asked).containsExactly("first");
        goOn.countDown();
        closing.join();
    }

    private static boolean hasWaiters(ReentrantLock lock, Condition changed) {
        lock.lock();
        try {
            return lock.hasWaiters(changed);
        } finally {
            lock.unlock();
        }
    }

    private static Object field(Object of, String name) throws ReflectiveOperationException {
        var field = of.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return field.get(of);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static int receive(ReceivePort in) {
        try (var message = in.receive()) {
            return message.readInt();
        }
    }
}
