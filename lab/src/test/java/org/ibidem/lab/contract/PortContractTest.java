package org.ibidem.lab.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.ibidem.arbitration.WaitInterrupted;
import org.ibidem.hub.Hub;
import org.ibidem.port.Capability;
import org.ibidem.port.ConnectRefused;
import org.ibidem.port.ConnectionUpcall;
import org.ibidem.port.Lost;
import org.ibidem.port.MessageAbandoned;
import org.ibidem.port.Origin;
import org.ibidem.port.PortType;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.ReceiveSetup;
import org.ibidem.port.SendPort;
import org.ibidem.port.Target;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What every capability of a port type promises, and every way to connect ports, asked of every
/// network driver found and of every faithful filter over each of them.
@Tag("lab")
@ParameterizedClass(name = "{0}")
@MethodSource("stacks")
@Timeout(60)
class PortContractTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int MESSAGES = 50;

    /// More than one frame, whatever the stack.
    private static final int LARGE = 100_000;

    private static Hub hub;
    private static Node here;
    private static Node there;
    private static int names;

    @Parameter String stack;

    private final List<AutoCloseable> ports = new ArrayList<>();

    static Stream<String> stacks() {
        return Pair.faithful();
    }

    @BeforeAll
    static void join() {
        hub = Hub.start(Hub.Options.DEFAULT.port(0));
        var join = Join.pool("contract").hub("localhost:" + hub.port());
        here = Node.join(join);
        there = Node.join(join);
    }

    @AfterAll
    static void leave() {
        here.close();
        there.close();
        hub.close();
    }

    @AfterEach
    void close() throws Exception {
        for (var port : ports.reversed()) {
            port.close();
        }
    }

    /// Only with this one, and those it needs.
    private PortType only(Capability... capabilities) {
        return PortType.oneToOne().without(Capability.EXPLICIT).with(capabilities).stack(stack);
    }

    private PortType usual(Capability more) {
        return PortType.oneToOne().with(more).stack(stack);
    }

    private ReceivePort receive(PortType type, ReceiveSetup setup) {
        var port = ReceivePort.open(there, type, "in" + names++, setup);
        ports.add(port);
        return port;
    }

    private SendPort send(PortType type, ReceivePort... to) {
        var port = SendPort.open(here, type, "out" + names++);
        ports.add(port);
        for (var in : to) {
            port.connect(there.id(), in.name(), LIMIT);
        }
        return port;
    }

    private static void say(SendPort out, int value) {
        try (var message = out.newMessage()) {
            message.writeInt(value).finish();
        }
    }

    private static <T> T eventually(Supplier<T> wanted) {
        long end = System.nanoTime() + LIMIT.toNanos();
        for (var got = wanted.get(); ; got = wanted.get()) {
            if (got != null) {
                return got;
            }
            assertThat(System.nanoTime()).as("waited too long").isLessThan(end);
            Thread.onSpinWait();
        }
    }

    private static void hears(ReceivePort in, int value) {
        try (var message = in.receive(LIMIT)) {
            assertThat(message).isNotNull();
            assertThat(message.readInt()).isEqualTo(value);
        }
    }

    /// A new capability does not compile before it is shown here.
    @ParameterizedTest
    @EnumSource
    void each_capability_keeps_its_promise(Capability capability) throws Exception {
        switch (capability) {
            case EXPLICIT -> explicit();
            case TIMED -> timed();
            case POLL -> poll();
            case UPCALLS -> upcalls();
            case POLLED_UPCALLS -> polledUpcalls();
            case FIFO -> fifo();
            case NUMBERED -> numbered();
            case TOTAL -> total();
            case RELIABLE -> reliable();
            case CONNECTION_UPCALLS -> connectionUpcalls();
            case CONNECTION_DOWNCALLS -> connectionDowncalls();
            case UNCHECKED -> unchecked();
        }
    }

    private void explicit() {
        var type = only(Capability.EXPLICIT);
        var in = receive(type, ReceiveSetup.USUAL);
        say(send(type, in), 7);
        try (var message = in.receive()) {
            assertThat(message.readInt()).isEqualTo(7);
        }
        assertThatThrownBy(in::poll).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> in.receive(LIMIT)).isInstanceOf(IllegalStateException.class);
    }

    private void timed() {
        var type = only(Capability.EXPLICIT, Capability.TIMED);
        var in = receive(type, ReceiveSetup.USUAL);
        var out = send(type, in);
        assertThat(in.receive(Duration.ofMillis(1))).isNull();
        say(out, 7);
        hears(in, 7);
        assertThat(in.receive(Duration.ofMillis(1))).isNull();
    }

    private void poll() {
        var type = only(Capability.EXPLICIT, Capability.POLL);
        var in = receive(type, ReceiveSetup.USUAL);
        var out = send(type, in);
        assertThat(in.poll()).isNull();
        say(out, 7);
        try (var message = eventually(in::poll)) {
            assertThat(message.readInt()).isEqualTo(7);
        }
        assertThat(in.poll()).isNull();
    }

    private void upcalls() throws Exception {
        var type = only(Capability.UPCALLS);
        var got = new LinkedBlockingQueue<Integer>();
        var in = receive(type, ReceiveSetup.USUAL.upcall(message -> got.add(message.readInt())));
        var out = send(type, in);
        for (int i = 0; i < MESSAGES; i++) {
            say(out, i);
        }
        for (int i = 0; i < MESSAGES; i++) {
            assertThat(got.poll(LIMIT.toSeconds(), TimeUnit.SECONDS)).isEqualTo(i);
        }
    }

    private void polledUpcalls() {
        var type = only(Capability.POLLED_UPCALLS);
        var got = new ArrayList<Thread>();
        var in =
                receive(
                        type,
                        ReceiveSetup.USUAL.polledUpcall(message -> {
                            assertThat(message.readInt()).isEqualTo(got.size());
                            got.add(Thread.currentThread());
                        }));
        var out = send(type, in);
        assertThat(in.runUpcall()).isFalse();
        for (int i = 0; i < MESSAGES; i++) {
            say(out, i);
        }
        assertThat(got).as("none before it is asked for").isEmpty();
        while (got.size() < MESSAGES) {
            eventually(() -> in.runUpcall() ? true : null);
        }
        assertThat(got).containsOnly(Thread.currentThread());
        assertThat(in.runUpcall()).isFalse();
    }

    private void fifo() throws Exception {
        var type = usual(Capability.FIFO);
        var in = receive(type, ReceiveSetup.USUAL);
        var out = send(type, in);
        var writing =
                Pair.start(() -> {
                    for (int i = 0; i < MESSAGES; i++) {
                        try (var message = out.newMessage()) {
                            message.writeInt(i).writeArray(new byte[i * 100]).finish();
                        }
                    }
                    return true;
                });
        for (int i = 0; i < MESSAGES; i++) {
            hears(in, i);
        }
        Pair.get(writing);
    }

    private void numbered() {
        var type = usual(Capability.NUMBERED);
        var in = receive(type, ReceiveSetup.USUAL);
        var out = send(type, in);
        for (int i = 0; i < MESSAGES; i++) {
            say(out, i);
            try (var message = in.receive()) {
                assertThat(message.sequenceNumber()).isEqualTo(i);
            }
        }
    }

    private void total() {
        var type = PortType.manyToOne().with(Capability.TOTAL).stack(stack);
        var in = receive(type, ReceiveSetup.USUAL);
        var senders = List.of(send(type, in), send(type, in));
        long last = -1;
        for (int i = 0; i < 6; i++) {
            say(senders.get(i % 2), i);
            try (var message = in.receive()) {
                assertThat(message.readInt()).isEqualTo(i);
                assertThat(message.sequenceNumber()).as("of both senders").isGreaterThan(last);
                last = message.sequenceNumber();
            }
        }
    }

    private void reliable() throws Exception {
        var type = usual(Capability.RELIABLE);
        var in = receive(type, ReceiveSetup.USUAL);
        var out = send(type, in);
        var writing = Pair.start(() -> large(out));
        assertLarge(in);
        Pair.get(writing);
    }

    private static boolean large(SendPort out) {
        for (int i = 0; i < 3; i++) {
            var values = new int[LARGE];
            for (int at = 0; at < LARGE; at++) {
                values[at] = at * (i + 1);
            }
            try (var message = out.newMessage()) {
                message.writeArray(values).finish();
            }
        }
        return true;
    }

    private static void assertLarge(ReceivePort in) {
        for (int i = 0; i < 3; i++) {
            var values = new int[LARGE];
            try (var message = in.receive(LIMIT)) {
                assertThat(message).isNotNull();
                message.readArray(values);
                assertThat(message.remaining()).isIn(0L, -1L);
            }
            for (int at = 0; at < LARGE; at++) {
                assertThat(values[at] == at * (i + 1)).isTrue();
            }
        }
    }

    private void connectionUpcalls() throws Exception {
        var type = usual(Capability.CONNECTION_UPCALLS);
        var told = new LinkedBlockingQueue<Object>();
        var in =
                receive(
                        type,
                        ReceiveSetup.USUAL.connections(
                                new ConnectionUpcall() {
                                    @Override
                                    public boolean connecting(ReceivePort port, Origin from) {
                                        told.add(from);
                                        return told.size() > 1;
                                    }

                                    @Override
                                    public void lost(ReceivePort port, Lost<Origin> connection) {
                                        told.add(connection);
                                    }
                                }));
        var out = send(type);
        assertThatThrownBy(() -> out.connect(there.id(), in.name(), LIMIT))
                .isInstanceOfSatisfying(
                        ConnectRefused.class,
                        e -> assertThat(e.why()).isEqualTo(ConnectRefused.Why.UNWANTED));
        out.connect(there.id(), in.name(), LIMIT);
        say(out, 7);
        hears(in, 7);
        var origin = new Origin(here.id(), out.name());
        assertThat(told).containsExactly(origin, origin);
        told.clear();
        out.close();
        eventually(() -> {
            assertThat(in.poll()).isNull();
            return told.peek();
        });
        assertThat(told)
                .singleElement()
                .isInstanceOfSatisfying(
                        Lost.class,
                        lost -> {
                            assertThat(lost.peer()).isEqualTo(origin);
                            assertThat(lost.broken()).isFalse();
                        });
    }

    private void connectionDowncalls() {
        var type = usual(Capability.CONNECTION_DOWNCALLS);
        var in = receive(type, ReceiveSetup.USUAL);
        var out = send(type, in);
        var origin = new Origin(here.id(), out.name());
        eventually(() -> in.connections().isEmpty() ? null : true);
        assertThat(in.newConnections()).containsExactly(origin);
        assertThat(in.newConnections()).isEmpty();
        in.close();
        var lost =
                eventually(() -> {
                    var list = out.lostConnections();
                    return list.isEmpty() ? null : list;
                });
        assertThat(lost)
                .singleElement()
                .satisfies(one -> {
                    assertThat(one.peer()).isEqualTo(new Target(there.id(), in.name()));
                    assertThat(one.broken()).isFalse();
                    assertThat(one.why()).isNotEmpty();
                });
        assertThat(out.lostConnections()).isEmpty();
    }

    private void unchecked() {
        var type = usual(Capability.UNCHECKED);
        var in = receive(type, ReceiveSetup.USUAL);
        var out = send(type, in);
        try (var message = out.newMessage()) {
            message.writeInt(Float.floatToRawIntBits(1.5f)).finish();
        }
        try (var message = in.receive()) {
            assertThat(message.readFloat()).as("bits, whatever was written").isEqualTo(1.5f);
        }
    }

    @Test
    void one_sender_reaches_several_receivers_with_messages_of_many_frames() throws Exception {
        var type = PortType.oneToMany().stack(stack);
        var one = receive(type, ReceiveSetup.USUAL);
        var two = receive(type, ReceiveSetup.USUAL);
        var out = send(type, one, two);
        var writing = Pair.start(() -> large(out));
        var reading =
                Pair.start(() -> {
                    assertLarge(one);
                    return true;
                });
        assertLarge(two);
        Pair.get(reading);
        Pair.get(writing);
        assertThat(out.disconnect(there.id(), one.name())).isTrue();
        say(out, 8);
        hears(two, 8);
    }

    @Test
    void one_receiver_hears_several_senders_with_messages_of_many_frames() throws Exception {
        var type = PortType.manyToOne().stack(stack);
        var in = receive(type, ReceiveSetup.USUAL);
        var outs = List.of(send(type, in), send(type, in));
        var writing = outs.stream().map(out -> Pair.start(() -> large(out))).toList();
        var next = new ArrayList<>(List.of(1, 1));
        for (int i = 0; i < 6; i++) {
            var values = new int[LARGE];
            try (var message = in.receive(LIMIT)) {
                message.readArray(values);
                int from = message.origin().port().equals(outs.getFirst().name()) ? 0 : 1;
                int factor = next.get(from);
                next.set(from, factor + 1);
                for (int at = 0; at < LARGE; at++) {
                    assertThat(values[at] == at * factor).isTrue();
                }
            }
        }
        for (var each : writing) {
            Pair.get(each);
        }
        outs.getFirst().close();
        say(outs.getLast(), 8);
        hears(in, 8);
    }

    /// Nobody waits for room to say so; the connection stays as it was.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_message_given_up_for_want_of_room_is_told_before_the_next(boolean interrupted)
            throws Exception {
        var type = PortType.oneToMany().stack(stack);
        var out = send(type);
        var receivers = new ArrayList<ReceivePort>();
        while (receivers.size() < 2) {
            var next = receive(type, ReceiveSetup.USUAL);
            out.connect(there.id(), next.name(), LIMIT);
            receivers.add(next);
            givesUp(out, interrupted);
            assertThat(out.connections()).hasSameSizeAs(receivers);
            var reading = receivers.stream().map(in -> Pair.start(() -> hearsSevenAfterIt(in)));
            var all = Stream.concat(Stream.of(Pair.start(() -> seven(out))), reading).toList();
            for (var each : all) {
                Pair.get(each);
            }
        }
    }

    private static boolean seven(SendPort out) {
        say(out, 7);
        return true;
    }

    /// Interrupted from the start, the thread goes on until it would have to wait.
    private static void givesUp(SendPort out, boolean interrupted) {
        Thread.currentThread().interrupt();
        try (var message = out.newMessage()) {
            assertThatThrownBy(
                            () -> {
                                while (true) {
                                    message.writeArray(new int[LARGE]);
                                }
                            })
                    .isInstanceOf(WaitInterrupted.class);
            if (!interrupted) { // the program gives it up
                assertThat(Thread.interrupted()).isTrue();
            }
        } finally {
            assertThat(Thread.interrupted()).isEqualTo(interrupted);
        }
    }

    private static boolean hearsSevenAfterIt(ReceivePort in) {
        assertThatThrownBy(
                        () -> {
                            try (var message = in.receive(LIMIT)) {
                                while (true) {
                                    message.readArray(new int[LARGE]);
                                }
                            }
                        })
                .isInstanceOf(MessageAbandoned.class);
        hears(in, 7);
        return true;
    }
}
