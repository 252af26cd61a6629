package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.eventually;
import static org.ibidem.port.Traffic.fill;
import static org.ibidem.port.Traffic.receive;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.ibidem.Background;
import org.ibidem.Stacks;
import org.ibidem.station.NodeRuntime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What becomes of the last messages and the ports of a node that is closed, or whose program ends
/// without that. Messages arrive although nobody has read them yet, and what had been sent to the
/// node does not stand in their way.
@ParameterizedClass
@Stacks({
    "loopback",
    "shm",
    "tcp",
    "fragment(size=128) > tcp",
    "parallel(2) > tcp",
    "multiplex > tcp"
})
@Timeout(60)
@SuppressWarnings("try") // ports are closed by their node, or in the middle on purpose
class NodeEndsTest {
    private static final int ROUNDS = 3;
    private static final Duration LONG = Duration.ofSeconds(20);

    private final PortType type;
    private final boolean inMemory;
    private final Pair pair = new Pair();

    NodeEndsTest(String stack) {
        this.type = PortType.oneToOne().stack(stack);
        this.inMemory = stack.equals("loopback");
    }

    @AfterEach
    void close() {
        pair.close();
    }

    @ParameterizedTest
    @Tag("slow")
    @ValueSource(ints = {1, 20_000})
    void messages_of_a_node_that_has_left_are_read(int length) {
        for (int round = 0; round < ROUNDS; round++) {
            var leaver = pair.runtime();
            try (var in = pair.receive(pair.there, type, "in")) {
                var out = pair.send(leaver, type, "out");
                out.connect(pair.there.id(), "in");
                send(out, new byte[length], 3);
                leaver.close();
                read(in, length, 3);
                assertThat(in.poll()).as("an end in order is no loss").isNull();
            }
        }
    }

    @ParameterizedTest
    @Tag("slow")
    @ValueSource(ints = {1, 20_000})
    void what_the_leaver_never_read_does_not_cost_its_last_words(int length) {
        for (int round = 0; round < ROUNDS; round++) {
            var leaver = pair.runtime();
            try (var in = pair.receive(pair.there, type, "in");
                    var back = pair.send(pair.there, type, "back")) {
                var never = pair.receive(leaver, type, "never read");
                var out = pair.send(leaver, type, "out");
                out.connect(pair.there.id(), "in");
                back.connect(leaver.id(), never.name());
                send(back, new byte[1000], 5);
                send(out, new byte[length], 3);
                leaver.close();
                read(in, length, 3);
            }
        }
    }

    @Test
    @Tag("slow")
    void long_last_words_of_a_node_that_never_read_arrive_too() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            var leaver = pair.runtime();
            try (var in = pair.receive(pair.there, type, "in");
                    var back = pair.send(pair.there, type, "back")) {
                var never = pair.receive(leaver, type, "never read");
                var out = pair.send(leaver, type, "out");
                out.connect(pair.there.id(), "in");
                back.connect(leaver.id(), never.name());
                send(back, new byte[1000], 5);
                int length = 1_000_000 + 1_000_000 * round;
                var leaving = Background.run(() -> talkAndLeave(out, leaver, length));
                try {
                    leaving.get(100, TimeUnit.MILLISECONDS);
                } catch (TimeoutException _) {
                    // The link does not hold so much: it goes on while it is read.
                }
                read(in, length, 1);
                leaving.join();
            }
        }
    }

    /// More than any link holds: the node leaves when the last byte is on its way, and no sooner.
    @ParameterizedTest
    @ValueSource(ints = {5_000_000})
    void a_node_leaves_when_its_messages_are_on_their_way(int length) {
        var leaver = pair.runtime();
        try (var in = pair.receive(pair.there, type, "in")) {
            var out = pair.send(leaver, type, "out");
            out.connect(pair.there.id(), "in");
            var leaving = Background.run(() -> talkAndLeave(out, leaver, length));
            read(in, length, 1);
            leaving.join();
        }
    }

    private static void talkAndLeave(SendPort out, NodeRuntime leaver, int length) {
        send(out, new byte[length], 1);
        leaver.close();
    }

    @Test
    @Tag("slow")
    void whoever_gets_the_last_message_may_close_before_its_sender_has_finished_it()
            throws Exception {
        for (int round = 0; round < 50 * ROUNDS; round++) {
            try (var in = pair.receive(pair.there, type, "in");
                    var out = pair.send(pair.here, type, "out")) {
                out.connect(pair.there.id(), "in");
                var reading =
                        CompletableFuture.runAsync(() -> readLast(in), Thread::startVirtualThread);
                send(out, new byte[1], 1);
                reading.get(30, TimeUnit.SECONDS);
            }
        }
    }

    private static void readLast(ReceivePort in) {
        read(in, 1, 1);
        in.close();
    }

    @Test
    void close_answers_whether_all_has_arrived() {
        try (var in = pair.receive(pair.there, type, "in")) {
            var out = pair.send(pair.here, type, "out");
            out.connect(pair.there.id(), "in");
            send(out, new byte[20_000], 3);
            assertThat(out.close(Duration.ofSeconds(20))).as("though nobody has read").isTrue();
            read(in, 20_000, 3);
        }
    }

    /// Nor does a node wait for programs that do not read.
    @Test
    void two_that_close_at_once_do_not_wait_for_each_other() {
        var one = pair.runtime();
        var other = pair.runtime();
        pair.receive(one, type, "in");
        pair.receive(other, type, "in");
        var out = pair.send(one, type, "out");
        var back = pair.send(other, type, "back");
        out.connect(other.id(), "in");
        back.connect(one.id(), "in");
        send(out, new byte[20_000], 3);
        send(back, new byte[20_000], 3);
        long begun = System.nanoTime();
        var closing = Background.run(one::close);
        other.close();
        closing.join();
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(5));
    }

    /// The kernel of a node that closes a socket over bytes it never read throws away what it has
    /// not sent yet. Its end of the link may still be in the making.
    @Test
    @Tag("slow")
    void who_has_just_connected_to_a_node_hears_that_it_leaves() {
        for (int round = 0; round < 5 * ROUNDS; round++) {
            var leaver = pair.runtime();
            pair.receive(leaver, type, "in");
            try (var out = pair.send(pair.here, type, "out")) {
                out.connect(leaver.id(), "in");
                leaver.close();
                eventually("it knows", () -> out.connections().isEmpty());
            }
        }
    }

    @Test
    void who_waits_for_a_port_of_a_node_that_leaves_is_told_that_it_has_gone() {
        var out = pair.send(pair.here, type, "out");
        var connecting = Background.run(() -> out.connect(pair.there.id(), "in", LONG));
        eventually("it waits", () -> pair.there.channels().waiting() == 1);
        pair.there.close();
        assertThatThrownBy(connecting::join)
                .hasMessageMatching(
                        "(?s).*node " + pair.there.id().brief() + " (is leaving|has gone).*")
                .hasMessageNotContaining("of kind");
    }

    private SendPort connected(NodeRuntime leaver, ReceivePort to) {
        var out = pair.send(leaver, type, "to " + to.name());
        out.connect(pair.there.id(), to.name());
        return out;
    }

    private static void hasEnded(ReceivePort in) {
        eventually("it has ended", () -> in.poll() == null && in.connections().isEmpty());
    }

    @Test
    void a_port_without_room_for_its_end_is_waited_for_and_holds_up_no_other() {
        var leaver = pair.runtime();
        try (var full = pair.receive(pair.there, type, "full");
                var free = pair.receive(pair.there, type, "free")) {
            connected(leaver, free);
            int count = fill(connected(leaver, full), 0); // is closed first
            var closing = Background.run(leaver::close);
            hasEnded(free);
            if (inMemory) { // of a socket the system may make room at any time
                assertThat(closing).isNotDone();
            }
            for (int i = 0; i < count; i++) {
                try (var message = full.receive(LONG)) {
                    assertThat(message).isNotNull();
                }
            }
            closing.join();
            hasEnded(full);
        }
    }

    @Test
    void a_message_in_hand_when_a_node_is_closed_may_be_finished() {
        var leaver = pair.runtime();
        try (var in = pair.receive(pair.there, type, "in");
                var free = pair.receive(pair.there, type, "free")) {
            connected(leaver, free);
            var message = connected(leaver, in).newMessage();
            message.writeInt(7);
            var closing = Background.run(leaver::close);
            hasEnded(free);
            assertThat(closing).isNotDone();
            message.writeInt(8).finish();
            closing.join();
            try (var got = in.receive(LONG)) {
                assertThat(got.readInt()).isEqualTo(7);
                assertThat(got.readInt()).isEqualTo(8);
            }
            hasEnded(in);
        }
    }

    @Test
    void what_was_kept_back_at_the_end_of_a_program_arrives_and_the_port_stays_open() {
        var leaver = pair.runtime();
        try (var in = pair.receive(pair.there, type, "in")) {
            var out = connected(leaver, in);
            try (var message = out.newMessage()) {
                message.writeInt(7).finishHeld();
            }
            leaver.drain(leaver.tasks().nanoTime());
            assertThat(receive(in)).isEqualTo(7);
            try (var message = out.newMessage()) {
                message.writeInt(8).finish();
            }
            assertThat(receive(in)).isEqualTo(8);
            leaver.close();
        }
    }

    private static void send(SendPort out, byte[] content, int times) {
        for (int i = 0; i < times; i++) {
            content[content.length - 1] = (byte) i;
            try (var message = out.newMessage()) {
                message.writeArray(content).finish();
            }
        }
    }

    private static void read(ReceivePort in, int length, int times) {
        var content = new byte[length];
        for (int i = 0; i < times; i++) {
            try (var message = in.receive()) {
                message.readArray(content);
            }
            assertThat(content[length - 1]).isEqualTo((byte) i);
        }
    }
}
