package org.ibidem.lab.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.Eventually.eventually;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.ibidem.hub.Hub;
import org.ibidem.port.Capability;
import org.ibidem.port.ConnectionUpcall;
import org.ibidem.port.Lost;
import org.ibidem.port.Origin;
import org.ibidem.port.PortType;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.ReceiveSetup;
import org.ibidem.port.SendPort;
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
import org.junit.jupiter.params.provider.MethodSource;

/// How connections end, and begin anew, over every stack there is: nobody receives meanwhile.
@Tag("lab")
@ParameterizedClass(name = "{0}")
@MethodSource("stacks")
@Timeout(60)
class EndsContractTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int LARGE = 30_000;
    private static final Duration HELD = Duration.ofMillis(20);

    private static Hub hub;
    private static Join join;
    private static Node here;
    private static Node there;
    private static int names;

    @Parameter String stack;

    private final List<AutoCloseable> opened = new ArrayList<>();
    private final LinkedBlockingQueue<Lost<Origin>> told = new LinkedBlockingQueue<>();

    static Stream<String> stacks() {
        return Pair.faithful();
    }

    @BeforeAll
    static void join() {
        hub = Hub.start(Hub.Options.DEFAULT.port(0));
        join = Join.pool("ends").hub("localhost:" + hub.port());
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
        for (var each : opened.reversed()) {
            each.close();
        }
    }

    private <T extends AutoCloseable> T opened(T what) {
        opened.add(what);
        return what;
    }

    private ReceivePort in(PortType type) {
        var setup =
                ReceiveSetup.USUAL.connections(
                        new ConnectionUpcall() {
                            @Override
                            public boolean connecting(ReceivePort port, Origin from) {
                                return true;
                            }

                            @Override
                            public void lost(ReceivePort port, Lost<Origin> connection) {
                                told.add(connection);
                            }
                        });
        return opened(ReceivePort.open(there, type(type), "in" + names++, setup));
    }

    private PortType type(PortType type) {
        return type.stack(stack).with(Capability.CONNECTION_UPCALLS);
    }

    private SendPort out(Node node, PortType type) {
        return opened(SendPort.open(node, type(type), "out" + names++));
    }

    private SendPort out(PortType type, ReceivePort to) {
        var out = out(here, type);
        out.connect(there.id(), to.name(), LIMIT);
        return out;
    }

    private static void say(SendPort out, int value) {
        try (var message = out.newMessage()) {
            message.writeInt(value).finish();
        }
    }

    private static void hears(ReceivePort in, int value) {
        try (var message = in.receive(LIMIT)) {
            assertThat(message).isNotNull();
            assertThat(message.readInt()).isEqualTo(value);
        }
    }

    private void isTold(Node node, SendPort of, boolean broken) throws InterruptedException {
        var lost = told.poll(LIMIT.toSeconds(), TimeUnit.SECONDS);
        assertThat(lost).isNotNull();
        assertThat(lost.peer()).isEqualTo(new Origin(node.id(), of.name()));
        assertThat(lost.broken()).isEqualTo(broken);
    }

    @Test
    void what_was_sent_before_an_end_is_received_and_the_end_is_told() throws Exception {
        var in = in(PortType.manyToOne());
        var stays = out(PortType.manyToOne(), in);
        var goes = out(PortType.manyToOne(), in);
        say(stays, 1);
        var values = new int[LARGE];
        values[LARGE - 1] = 7;
        var writing =
                Pair.start(() -> {
                    say(goes, 2);
                    try (var message = goes.newMessage()) {
                        message.writeArray(values).finish();
                    }
                    goes.close();
                    return true;
                });
        eventually("both are connected", () -> in.connections().size() == 2);
        var got = new int[LARGE];
        for (int i = 0; i < 3; i++) {
            try (var message = in.receive(LIMIT)) {
                assertThat(message).isNotNull();
                if (message.origin().port().equals(stays.name())) {
                    assertThat(message.readInt()).isEqualTo(1);
                } else if (message.remaining() != -1 && message.remaining() < 100) {
                    assertThat(message.readInt()).isEqualTo(2);
                } else {
                    message.readArray(got);
                }
            }
        }
        assertThat(got).isEqualTo(values);
        Pair.get(writing);
        isTold(here, goes, false);
        assertThat(in.connections()).containsExactly(new Origin(here.id(), stays.name()));
    }

    @Test
    void a_port_with_several_receivers_leaves_one() throws Exception {
        var in = in(PortType.oneToMany());
        var other = in(PortType.oneToMany());
        var out = out(PortType.oneToMany(), in);
        out.connect(there.id(), other.name(), LIMIT);
        out.disconnect(there.id(), in.name());
        isTold(here, out, false);
        assertThat(in.close(LIMIT)).isTrue();
        say(out, 1);
        hears(other, 1);
    }

    @Test
    void the_one_place_is_free_when_what_was_sent_before_is_received() throws Exception {
        var in = in(PortType.oneToOne());
        var first = out(PortType.oneToOne(), in);
        say(first, 1);
        first.disconnect();
        var second = out(here, PortType.oneToOne());
        var connecting =
                Pair.start(() -> {
                    first.connect(there.id(), in.name(), LIMIT);
                    say(first, 2);
                    first.close();
                    second.connect(there.id(), in.name(), LIMIT);
                    return true;
                });
        hears(in, 1);
        hears(in, 2);
        Pair.get(connecting);
        second.close();
        assertThat(in.close(LIMIT)).isTrue();
    }

    @Test
    void the_end_of_a_node_is_told_after_what_it_sent() throws Exception {
        var in = in(PortType.manyToOne());
        var far = opened(Node.join(join));
        var out = out(far, PortType.manyToOne());
        out.connect(there.id(), in.name(), LIMIT);
        say(out, 1);
        // A part that holds frames back by time (`delay`) does so from the first look on, and what
        // it still holds when a peer is dead is not there: let it be due.
        long due = System.nanoTime() + HELD.toNanos();
        eventually(
                "it is connected, for a while",
                () -> in.connections().size() == 1 && System.nanoTime() - due > 0);
        here.assumeDead(far.id(), "as the test says");
        hears(in, 1);
        isTold(far, out, true);
        assertThat(in.connections()).isEmpty();
        assertThat(in.close(LIMIT)).isTrue();
    }

    @Test
    void messages_keep_their_order_though_their_sender_connects_anew_before_each() {
        var in = in(PortType.manyToOne());
        var out = out(here, PortType.manyToOne());
        for (int i = 0; i < 5; i++) {
            out.connect(there.id(), in.name(), LIMIT);
            say(out, i);
            out.disconnect();
        }
        for (int i = 0; i < 5; i++) {
            hears(in, i);
        }
        eventually("it is disconnected", () -> in.connections().isEmpty());
    }

    @Test
    void a_receive_port_ends_one_of_its_connections() {
        var in = in(PortType.manyToOne());
        var goes = out(PortType.manyToOne(), in);
        var stays = out(PortType.manyToOne(), in);
        say(goes, 1);
        eventually("both are connected", () -> in.connections().size() == 2);
        assertThat(in.disconnect(new Origin(here.id(), goes.name()))).isTrue();
        eventually("one is disconnected", () -> goes.connections().isEmpty());
        say(stays, 2);
        hears(in, 2);
    }
}
