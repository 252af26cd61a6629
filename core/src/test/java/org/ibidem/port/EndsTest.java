package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.eventually;
import static org.ibidem.port.Traffic.send;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.ibidem.Background;
import org.ibidem.Stacks;
import org.ibidem.station.NodeRuntime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;

/// What a receive port knows of the ends of its connections while nobody receives, and what becomes
/// of the messages that were sent before.
@ParameterizedClass
@Stacks({"loopback", "shm", "tcp", "multiplex > tcp"})
@Timeout(60)
class EndsTest {
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Duration SHORT = Duration.ofMillis(200);

    private final PortType one;
    private final PortType many;
    private final Pair pair = new Pair();
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final LinkedBlockingQueue<Lost<Origin>> told = new LinkedBlockingQueue<>();

    EndsTest(String stack) {
        this.one = PortType.oneToOne().stack(stack).with(Capability.CONNECTION_UPCALLS);
        this.many = PortType.manyToOne().stack(stack).with(Capability.CONNECTION_UPCALLS);
    }

    @AfterEach
    void close() throws Exception {
        for (var each : opened.reversed()) {
            each.close();
        }
        pair.close();
    }

    private ReceivePort in(PortType type) {
        return opened(pair.receive(pair.there, type, "in", telling()));
    }

    private ReceiveSetup telling() {
        return ReceiveSetup.USUAL.connections(
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
    }

    private <T extends AutoCloseable> T opened(T port) {
        opened.add(port);
        return port;
    }

    private SendPort out(NodeRuntime runtime, PortType type, String name) {
        return opened(pair.send(runtime, type, name));
    }

    private SendPort connected(PortType type, String name) {
        var out = out(pair.here, type, name);
        out.connect(pair.there.id(), "in");
        return out;
    }

    private Origin origin(String name) {
        return new Origin(pair.here.id(), name);
    }

    private static int heard(ReceivePort in) {
        try (var message = in.receive(LONG)) {
            assertThat(message).isNotNull();
            return message.readInt();
        }
    }

    private Lost<Origin> told() throws InterruptedException {
        var lost = told.poll(30, TimeUnit.SECONDS);
        assertThat(lost).as("told within half a minute").isNotNull();
        return lost;
    }

    @Test
    void who_asks_for_the_connections_learns_of_an_end() {
        var type = PortType.manyToOne().stack(many.stack()).with(Capability.CONNECTION_DOWNCALLS);
        var in = opened(pair.receive(pair.there, type, "in"));
        var first = connected(type, "first");
        var second = connected(type, "second");
        eventually("both are there", () -> in.connections().size() == 2);
        first.close();
        eventually("one has gone", () -> in.connections().equals(List.of(origin("second"))));
        assertThat(in.lostConnections())
                .singleElement()
                .satisfies(lost -> {
                    assertThat(lost.peer()).isEqualTo(origin("first"));
                    assertThat(lost.broken()).isFalse();
                });
        second.close();
        eventually("the other, too", () -> in.lostConnections().size() == 1);
        assertThat(in.connections()).isEmpty();
    }

    @Test
    void who_asks_sees_at_no_time_one_that_is_over_and_there_or_neither() {
        var type = PortType.manyToOne().stack(many.stack()).with(Capability.CONNECTION_DOWNCALLS);
        var in = opened(pair.receive(pair.there, type, "in"));
        var lost = new ArrayList<Origin>();
        for (int round = 0; round < 20; round++) {
            lost.clear();
            var outs = new ArrayList<SendPort>();
            for (int i = 0; i < 10; i++) {
                outs.add(connected(type, "out " + round + " " + i));
            }
            eventually("all are there", () -> in.connections().size() == 10);
            var closer = Background.run(() -> outs.forEach(SendPort::close));
            while (lost.size() < 10) {
                var there = in.connections();
                in.lostConnections().forEach(each -> lost.add(each.peer()));
                assertThat(there.size() + lost.size()).isGreaterThanOrEqualTo(10);
                assertThat(in.connections()).noneMatch(lost::contains);
            }
            closer.join();
        }
    }

    @Test
    void the_program_is_told_of_an_end() throws Exception {
        in(one);
        connected(one, "out").close();
        assertThat(told().broken()).isFalse();
    }

    @Test
    void what_was_sent_before_the_end_is_received_first() throws Exception {
        var in = in(many);
        var out = connected(many, "out");
        for (int i = 0; i < 4; i++) {
            send(out, i);
        }
        out.close();
        eventually("it is there", () -> in.connections().size() == 1);
        for (int i = 0; i < 3; i++) {
            assertThat(in.connections()).containsExactly(origin("out"));
            assertThat(heard(in)).isEqualTo(i);
        }
        assertThat(told).isEmpty();
        assertThat(heard(in)).isEqualTo(3);
        assertThat(told().peer()).isEqualTo(origin("out"));
        assertThat(in.connections()).isEmpty();
        assertThat(in.poll()).isNull();
    }

    @Test
    void a_large_message_is_whole_though_ends_are_looked_for_all_the_time() {
        var in = in(many);
        var out = connected(many, "out");
        var values = new int[300_000];
        for (int i = 0; i < values.length; i++) {
            values[i] = i;
        }
        var writing =
                Background.run(() -> {
                    send(out, 1);
                    try (var message = out.newMessage()) {
                        message.writeArray(values).finish();
                    }
                    out.close();
                });
        eventually("something is there", () -> !in.connections().isEmpty());
        assertThat(heard(in)).isEqualTo(1);
        assertThat(in.connections()).hasSize(1);
        var got = new int[values.length];
        try (var message = in.receive()) {
            assertThat(in.connections()).hasSize(1);
            message.readArray(got);
        }
        assertThat(got).isEqualTo(values);
        writing.join();
        eventually("it has gone", () -> in.connections().isEmpty());
    }

    @Test
    void an_end_is_seen_beside_the_message_of_another() throws Exception {
        var in = in(many);
        var stays = connected(many, "stays");
        eventually("it is there", () -> in.connections().size() == 1);
        var goes = connected(many, "goes");
        send(stays, 1);
        send(stays, 2);
        goes.close();
        assertThat(told().peer()).isEqualTo(origin("goes"));
        assertThat(in.connections()).containsExactly(origin("stays"));
        assertThat(heard(in)).isEqualTo(1);
        send(stays, 3);
        assertThat(heard(in)).isEqualTo(2);
        assertThat(heard(in)).isEqualTo(3);
        assertThat(in.poll()).isNull();
    }

    @Test
    void an_end_is_told_when_the_message_in_hand_is_closed() throws Exception {
        var in = in(many);
        var out = connected(many, "out");
        send(out, 1);
        try (var message = in.receive()) {
            out.close();
            assertThat(message.readInt()).isEqualTo(1);
        }
        assertThat(told().peer()).isEqualTo(origin("out"));
    }

    @Test
    void one_of_several_receivers_hears_of_the_end_while_the_others_go_on() throws Exception {
        var type = PortType.oneToMany().stack(one.stack()).with(Capability.CONNECTION_UPCALLS);
        in(type);
        var other = opened(pair.receive(pair.there, type, "other"));
        var out = connected(type, "out");
        out.connect(pair.there.id(), "other");
        out.disconnect(pair.there.id(), "in");
        assertThat(told().peer()).isEqualTo(origin("out"));
        send(out, 1);
        assertThat(heard(other)).isEqualTo(1);
    }

    @Test
    void a_port_is_closed_in_time_when_all_have_gone() {
        var in = in(many);
        var out = connected(many, "out");
        send(out, 1);
        assertThat(heard(in)).isEqualTo(1);
        var closing = Background.run(() -> assertThat(in.close(LONG)).isTrue());
        out.close();
        closing.join();
    }

    @Test
    void a_port_with_a_message_to_read_is_not() {
        var in = in(many);
        var out = connected(many, "out");
        send(out, 1);
        out.close();
        assertThat(in.close(SHORT)).isFalse();
    }

    @Test
    void its_sender_connects_again_at_once() {
        var in = in(one);
        var out = connected(one, "out");
        for (int i = 0; i < 20; i++) {
            out.disconnect();
            out.connect(pair.there.id(), "in", LONG);
        }
        send(out, 1);
        assertThat(heard(in)).isEqualTo(1);
    }

    @Test
    void another_sender_gets_the_place_of_who_has_gone() throws Exception {
        var in = in(one);
        connected(one, "first").close();
        assertThat(told().peer()).isEqualTo(origin("first"));
        send(connected(one, "second"), 2);
        assertThat(heard(in)).isEqualTo(2);
    }

    @Test
    void an_applicant_waits_until_what_was_sent_before_is_read() {
        var in = in(one);
        var first = connected(one, "first");
        send(first, 1);
        send(first, 2);
        first.disconnect();
        var second = out(pair.here, one, "second");
        var both =
                List.of(
                        Background.run(() -> first.connect(pair.there.id(), "in", LONG)),
                        Background.run(() -> second.connect(pair.there.id(), "in", LONG)));
        eventually("both wait", () -> pair.there.channels().waiting() == 2);
        assertThat(heard(in)).isEqualTo(1);
        assertThat(both).noneMatch(connecting -> connecting.isDone());
        assertThat(heard(in)).isEqualTo(2);
        eventually("one has the place", () -> both.stream().anyMatch(one -> one.isDone()));
    }

    @Test
    void a_refusal_says_that_what_was_sent_before_is_not_read() {
        var in = in(one);
        var first = connected(one, "first");
        send(first, 1);
        first.close();
        var second = out(pair.here, one, "second");
        var refused = Pair.refused(() -> second.connect(pair.there.id(), "in", SHORT));
        assertThat(refused.why()).isEqualTo(ConnectRefused.Why.OCCUPIED);
        assertThat(refused)
                .hasMessageContaining("not all was received of what " + origin("first"))
                .hasMessageNotContaining("disconnect that one first");
        assertThat(heard(in)).isEqualTo(1);
        second.connect(pair.there.id(), "in");
    }

    @Test
    void who_waits_in_vain_for_the_first_port_of_a_node_is_told_that_it_has_none() {
        var out = out(pair.here, many, "out");
        assertThat(Pair.refused(() -> out.connect(pair.there.id(), "in", SHORT)))
                .hasMessageContaining("its node has opened no receive port in time");
    }

    @Test
    @Tag("slow")
    void a_death_is_told_after_what_was_sent_before() throws Exception {
        var in = in(many);
        var out = connected(many, "out");
        var far = pair.runtime();
        opened.add(far);
        var dies = out(far, many, "dies");
        dies.connect(pair.there.id(), "in");
        send(out, 1);
        send(dies, 2);
        eventually("both are there", () -> in.connections().size() == 2);
        pair.there.gone(far.id(), "it is dead");
        assertThat(List.of(heard(in), heard(in))).containsExactlyInAnyOrder(1, 2);
        var lost = told();
        assertThat(lost.peer()).isEqualTo(new Origin(far.id(), "dies"));
        assertThat(lost.broken()).isTrue();
        assertThat(in.connections()).containsExactly(origin("out"));
    }

    @Test
    @Tag("slow")
    void the_place_of_a_dead_sender_is_free() {
        var in = in(one);
        var far = pair.runtime();
        opened.add(far);
        out(far, one, "dies").connect(pair.there.id(), "in");
        eventually("it is there", () -> in.connections().size() == 1);
        pair.there.gone(far.id(), "it is dead");
        var next = out(pair.here, one, "next");
        eventually("it is known", () -> !told.isEmpty());
        next.connect(pair.there.id(), "in");
    }

    @Test
    void messages_of_a_sender_that_connects_anew_come_in_order() {
        var in = in(many);
        var out = out(pair.here, many, "out");
        var namesake = out(pair.here, many, "out");
        namesake.connect(pair.there.id(), "in");
        for (int i = 0; i < 5; i++) {
            out.connect(pair.there.id(), "in", LONG);
            send(out, i);
            out.disconnect();
        }
        send(namesake, -1);
        var got = new ArrayList<Integer>();
        for (int i = 0; i < 6; i++) {
            got.add(heard(in));
        }
        assertThat(got).contains(-1);
        assertThat(got).filteredOn(value -> value >= 0).containsExactly(0, 1, 2, 3, 4);
        eventually("only the other is there", () -> in.connections().size() == 1);
    }

    @Test
    @Tag("slow")
    void who_connects_anew_again_and_again_waits_for_the_reader() {
        var in = in(many);
        var out = out(pair.here, many, "out");
        int sent = 0;
        while (sent <= Places.MOST_BEHIND) {
            out.connect(pair.there.id(), "in", LONG);
            send(out, sent++);
            out.disconnect();
        }
        assertThat(Pair.refused(() -> out.connect(pair.there.id(), "in", SHORT)))
                .hasMessageContaining("of which not all was received");
        var connecting = Background.run(() -> out.connect(pair.there.id(), "in", LONG));
        for (int i = 0; i < sent; i++) {
            assertThat(heard(in)).isEqualTo(i);
        }
        connecting.join();
        send(out, sent);
        assertThat(heard(in)).isEqualTo(sent);
    }

    @Test
    void a_receive_port_ends_one_of_its_connections() {
        var in = in(many);
        var goes = connected(many, "goes");
        var stays = connected(many, "stays");
        send(goes, 1);
        eventually("both are there", () -> in.connections().size() == 2);
        assertThat(in.disconnect(origin("nobody"))).isFalse();
        assertThat(in.disconnect(origin("goes"))).isTrue();
        assertThat(in.disconnect(origin("goes"))).isFalse();
        assertThat(in.connections()).containsExactly(origin("stays"));
        eventually("its sender knows", () -> goes.connections().isEmpty());
        assertThatThrownBy(goes::newMessage)
                .isInstanceOf(ConnectionLost.class)
                .hasMessageContaining("the receive port has ended this connection");
        send(stays, 2);
        assertThat(heard(in)).isEqualTo(2);
        goes.connect(pair.there.id(), "in", LONG);
        send(goes, 3);
        assertThat(heard(in)).isEqualTo(3);
        assertThat(told).isEmpty();
    }

    @Test
    void it_does_so_when_the_message_in_hand_is_closed_or_under_who_waits() {
        var in = in(many);
        var goes = connected(many, "goes");
        send(goes, 1);
        send(goes, 2);
        try (var message = in.receive()) {
            assertThat(in.disconnect(origin("goes"))).isTrue();
            assertThat(message.readInt()).isEqualTo(1);
        }
        eventually("its sender knows", () -> goes.connections().isEmpty());
        var again = connected(many, "again");
        eventually("it is there", () -> in.connections().size() == 1);
        var waiting = Background.run(() -> assertThat(heard(in)).isEqualTo(4));
        in.disconnect(origin("again"));
        eventually("its sender knows", () -> again.connections().isEmpty());
        send(connected(many, "last"), 4);
        waiting.join();
    }
}
