package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.Eventually.eventually;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.ibidem.Background;
import org.ibidem.Stacks;
import org.ibidem.service.Station;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A node may leave as soon as it has finished its messages: they arrive although nobody has read
/// them yet, and what had been sent to it does not stand in their way.
@ParameterizedClass
@Stacks({"loopback", "shm", "tcp", "fragment(size=128) > tcp"})
@Timeout(60)
@SuppressWarnings("try") // ports are closed in the middle on purpose
class LastWordsTest {
    private static final int ROUNDS = 3;

    private final PortType type;
    private final Pair pair = new Pair();

    LastWordsTest(String stack) {
        this.type = PortType.oneToOne().stack(stack);
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
            var leaver = pair.station();
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

    @ParameterizedTest
    @Tag("slow")
    @ValueSource(ints = {1, 20_000})
    void what_the_leaver_never_read_does_not_cost_its_last_words(int length) {
        for (int round = 0; round < ROUNDS; round++) {
            var leaver = pair.station();
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

    /// More than any link holds: the node leaves when the last byte is on its way, and no sooner.
    @ParameterizedTest
    @ValueSource(ints = {5_000_000})
    void a_node_leaves_when_its_messages_are_on_their_way(int length) {
        var leaver = pair.station();
        try (var in = pair.receive(pair.there, type, "in")) {
            var out = pair.send(leaver, type, "out");
            out.connect(pair.there.id(), "in");
            var leaving = Background.run(() -> talkAndLeave(out, leaver, length));
            read(in, length, 1);
            leaving.join();
        }
    }

    /// The kernel of a node that closes a socket over bytes it never read throws away what it has
    /// not sent yet. Its end of the link may still be in the making.
    @Test
    @Tag("slow")
    void who_has_just_connected_to_a_node_hears_that_it_leaves() {
        for (int round = 0; round < 5 * ROUNDS; round++) {
            var leaver = pair.station();
            pair.receive(leaver, type, "in");
            try (var out = pair.send(pair.here, type, "out")) {
                out.connect(leaver.id(), "in");
                leaver.close();
                eventually("it knows", () -> out.connections().isEmpty());
            }
        }
    }

    @Test
    @Tag("slow")
    void long_last_words_of_a_node_that_never_read_arrive_too() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            var leaver = pair.station();
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

    private static void talkAndLeave(SendPort out, Station leaver, int length) {
        send(out, new byte[length], 1);
        leaver.close();
    }

    private static void readLast(ReceivePort in) {
        read(in, 1, 1);
        in.close();
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
