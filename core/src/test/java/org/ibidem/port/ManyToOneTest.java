package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.ibidem.Eventually.eventually;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.ibidem.Background;
import org.ibidem.Stacks;
import org.ibidem.arbitration.WaitInterrupted;
import org.ibidem.arbitration.WaitPolicy;
import org.ibidem.station.NodeRuntime;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedClass;

/// Several senders, on several nodes and on one, to one receive port.
@ParameterizedClass
@Stacks({"loopback", "shm", "tcp", "auto"})
@Timeout(60)
@Execution(ExecutionMode.CONCURRENT)
class ManyToOneTest {
    private static final int COUNT = 200;

    private final PortType type;
    private final Pair pair = new Pair();
    private final NodeRuntime third = pair.runtime();
    private final List<SendPort> outs = new ArrayList<>();

    ManyToOneTest(String stack) {
        this.type = PortType.manyToOne().stack(stack);
    }

    @AfterEach
    void close() {
        outs.forEach(SendPort::close);
        third.close();
        pair.close();
    }

    private SendPort sender(NodeRuntime node, String name) {
        var out = pair.send(node, type, name);
        outs.add(out);
        out.connect(pair.there.id(), "in");
        return out;
    }

    private static void send(SendPort out, int number) {
        try (var message = out.newMessage()) {
            message.writeInt(number).finish();
        }
    }

    /// Receives one message, which must be the next of its sender.
    private static void receive(ReceivePort in, Map<Origin, Integer> next) {
        try (var message = in.receive()) {
            int expected = next.merge(message.origin(), 1, Integer::sum) - 1;
            assertThat(message.readInt()).as("from %s", message.origin()).isEqualTo(expected);
        }
    }

    @Test
    void with_one_sender_messages_are_read_straight_from_its_link() {
        try (var in = pair.receive(pair.there, type, "in")) {
            var next = new HashMap<Origin, Integer>();
            var first = sender(pair.here, "first");
            send(first, 0);
            receive(in, next);
            assertThat(in.source()).isInstanceOf(Input.class);
            var second = sender(third, "second");
            send(second, 0);
            receive(in, next);
            assertThat(in.source()).isNotInstanceOf(Input.class);
            second.disconnect();
            send(first, 1);
            receive(in, next);
            eventually("one is gone", () -> in.poll() == null && in.connections().size() == 1);
            send(first, 2);
            receive(in, next);
            assertThat(in.source()).isInstanceOf(Input.class);
        }
    }

    @Test
    void who_only_polls_gets_what_comes_after_a_poll_in_vain() {
        try (var in = pair.receive(pair.there, type, "in")) {
            var next = new HashMap<Origin, Integer>();
            var first = sender(pair.here, "first");
            var second = sender(third, "second");
            eventually("both are connected", () -> in.connections().size() == 2);
            for (int i = 0; i < 4; i++) {
                var limit = i % 2 == 0 ? Duration.ofNanos(1) : null;
                for (var out : List.of(first, second)) {
                    assertThat(look(in, next, limit)).isFalse();
                    assertThat(look(in, next, limit)).isFalse();
                    send(out, i);
                    eventually("it comes", () -> look(in, next, limit));
                }
            }
        }
    }

    /// Receives a message if there is one, within a time limit or by a poll.
    private static boolean look(
            ReceivePort in, Map<Origin, Integer> next, @Nullable Duration limit) {
        try (var message = limit == null ? in.poll() : in.receive(limit)) {
            if (message != null) {
                int expected = next.merge(message.origin(), 1, Integer::sum) - 1;
                assertThat(message.readInt()).isEqualTo(expected);
            }
            return message != null;
        }
    }

    @Test
    void an_interrupt_in_one_message_does_not_keep_the_others_from_being_heard() {
        try (var in = pair.receive(pair.there, type, "in")) {
            in.waiting(WaitPolicy.SLEEP);
            var first = sender(pair.here, "first");
            var second = sender(third, "second");
            eventually("both are connected", () -> in.connections().size() == 2);
            assertThat(in.receive(Duration.ofMillis(1))).as("it sleeps from now on").isNull();
            try (var message = first.newMessage()) {
                message.writeInt(1).flush();
                try (var got = in.receive()) {
                    assertThat(got.readInt()).isEqualTo(1);
                    Thread.currentThread().interrupt();
                    assertThatThrownBy(got::readInt).isInstanceOf(WaitInterrupted.class);
                    assertThat(Thread.interrupted()).isTrue();
                    message.writeInt(2).finish();
                }
            }
            var next =
                    Background.call(() -> {
                        try (var got = in.receive()) {
                            return got.readInt();
                        }
                    });
            assertThat(next).isNotDone();
            send(second, 3);
            assertThat(next.join()).isEqualTo(3);
        }
    }

    @Tag("slow")
    @Test
    void losses_are_listed_once_with_their_reason_where_the_type_says_so() {
        var listed = type.with(Capability.CONNECTION_DOWNCALLS);
        try (var in = pair.receive(pair.there, listed, "in");
                var leaves = pair.send(pair.here, listed, "leaves");
                var breaks = pair.send(third, listed, "breaks")) {
            leaves.connect(pair.there.id(), "in");
            breaks.connect(pair.there.id(), "in");
            eventually("both are connected", () -> in.connections().size() == 2);
            assertThat(in.newConnections()).extracting(Origin::port).contains("leaves", "breaks");
            leaves.disconnect();
            third.channels().close(); // as when its process ends
            var lost = new ArrayList<Lost<Origin>>();
            eventually(
                    "both are lost",
                    () -> {
                        assertThat(in.poll()).isNull();
                        lost.addAll(in.lostConnections());
                        return lost.size() == 2;
                    });
            assertThat(lost)
                    .extracting(loss -> loss.peer().port(), Lost::broken)
                    .containsExactlyInAnyOrder(tuple("leaves", false), tuple("breaks", true));
            assertThat(lost).allSatisfy(loss -> assertThat(loss.why()).isNotBlank());
            assertThat(in.lostConnections()).isEmpty();
        }
    }

    @Tag("slow")
    @Test
    void each_of_many_losses_is_told() {
        int many = 70;
        try (var in = pair.receive(pair.there, type, "in")) {
            for (int i = 0; i < many; i++) {
                sender(third, "s" + i);
            }
            eventually("all are connected", () -> in.connections().size() == many);
            third.channels().close(); // as when its process ends
            var told = new HashSet<String>();
            while (told.size() < many) {
                try {
                    assertThat(in.receive(Duration.ofSeconds(20))).isNotNull();
                } catch (ConnectionLost e) {
                    assertThat(told.add(String.valueOf(e.getMessage()))).isTrue();
                }
            }
            assertThat(in.connections()).isEmpty();
            assertThat(in.poll()).isNull();
        }
    }

    @Test
    void each_sender_has_its_turn() {
        try (var in = pair.receive(pair.there, type, "in")) {
            sender(pair.here, "a");
            sender(pair.here, "b");
            sender(third, "a");
            for (var out : outs) {
                for (int i = 0; i < COUNT; i++) {
                    send(out, i);
                }
            }
            eventually("all are connected", () -> in.connections().size() == outs.size());
            var next = new HashMap<Origin, Integer>();
            for (int i = 1; i <= COUNT * outs.size(); i++) {
                receive(in, next);
                if (i > outs.size() && i < (COUNT - 1) * outs.size()) {
                    assertThat(next).hasSize(outs.size());
                    assertThat(Collections.max(next.values()) - Collections.min(next.values()))
                            .as("messages by which one is ahead of another, after %d", i)
                            .isLessThanOrEqualTo(2);
                }
            }
            assertThat(in.poll()).isNull();
        }
    }

    @Test
    void one_that_never_stops_does_not_keep_out_another() {
        CompletableFuture<Void> flood;
        try (var in = pair.receive(pair.there, type, "in")) {
            var busy = sender(pair.here, "busy");
            var rare = sender(third, "rare");
            eventually("both are connected", () -> in.connections().size() == 2);
            flood = CompletableFuture.runAsync(() -> flood(busy), Thread::startVirtualThread);
            for (int i = 0; i < 20; i++) {
                send(rare, i);
                int others = 0;
                while (!fromRare(in)) {
                    others++;
                }
                // What is in the network when it sends may come first, and no more than that.
                assertThat(others).as("messages let in before it").isLessThan(1_000);
            }
        }
        assertThatThrownBy(flood::join)
                .hasCauseInstanceOf(ConnectionLost.class)
                .hasMessageContaining("closed");
    }

    private static void flood(SendPort out) {
        for (int i = 0; ; i++) {
            send(out, i);
        }
    }

    private static boolean fromRare(ReceivePort in) {
        try (var message = in.receive()) {
            return message.origin().port().equals("rare");
        }
    }

    @Test
    @Tag("slow")
    void when_one_dies_its_loss_is_told_once_and_the_others_go_on() {
        try (var in = pair.receive(pair.there, type, "in")) {
            sender(pair.here, "a");
            sender(pair.here, "b");
            var dying = sender(third, "dying");
            for (var out : outs) {
                send(out, 0);
            }
            var next = new HashMap<Origin, Integer>();
            for (int i = 0; i < outs.size(); i++) {
                receive(in, next);
            }
            third.channels().close(); // as when its process ends
            for (int i = 1; i < COUNT; i++) {
                send(outs.get(0), i);
                send(outs.get(1), i);
            }
            int losses = 0;
            for (int left = 2 * (COUNT - 1); left > 0; ) {
                try {
                    receive(in, next);
                    left--;
                } catch (ConnectionLost e) {
                    losses++;
                    assertThat(e).hasMessageContaining("port 'dying'");
                }
            }
            if (losses == 0) {
                assertThatThrownBy(in::receive)
                        .isInstanceOf(ConnectionLost.class)
                        .hasMessageContaining("port 'dying'");
            } else {
                assertThat(losses).isEqualTo(1);
            }
            assertThat(in.poll()).isNull();
            assertThat(in.connections()).hasSize(2);
            assertThatThrownBy(dying::newMessage).isInstanceOf(ConnectionLost.class);
            assertThat(next.values()).containsExactlyInAnyOrder(COUNT, COUNT, 1);
        }
    }

    @Test
    void senders_come_and_go() {
        try (var in = pair.receive(pair.there, type, "in")) {
            var next = new HashMap<Origin, Integer>();
            var steady = sender(third, "steady");
            for (int i = 0; i < 20; i++) {
                try (var passing = pair.send(pair.here, type, "passing " + i)) {
                    passing.connect(pair.there.id(), "in");
                    send(passing, 0);
                    send(steady, i);
                }
                receive(in, next);
                receive(in, next);
            }
            assertThat(in.poll()).isNull();
            eventually(
                    "all but one have gone",
                    () -> in.poll() == null && in.connections().size() == 1);
            // The next one connects before the end of the last was read: two or three take turns.
            assertThat(pair.here.channels().links()).as("links, used again").isLessThan(5);
        }
    }

    @Test
    void a_node_may_send_to_itself() {
        try (var in = pair.receive(pair.there, type, "in")) {
            var next = new HashMap<Origin, Integer>();
            sender(pair.there, "self");
            sender(pair.there, "self too");
            sender(pair.here, "other");
            for (int i = 0; i < 10; i++) {
                for (var out : outs) {
                    send(out, i);
                    receive(in, next);
                }
            }
            outs.get(0).disconnect();
            send(outs.get(1), 10);
            receive(in, next);
            assertThat(in.poll()).isNull();
            eventually("one is gone", () -> in.poll() == null && in.connections().size() == 2);
            outs.get(0).connect(pair.there.id(), "in");
            send(outs.get(0), 10);
            receive(in, next);
        }
        assertThatThrownBy(() -> flood(outs.get(0)))
                .isInstanceOf(ConnectionLost.class)
                .hasMessageContaining("closed");
    }
}
