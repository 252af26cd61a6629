package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.eventually;

import java.time.Duration;
import org.ibidem.Background;
import org.ibidem.Stacks;
import org.ibidem.arbitration.WaitInterrupted;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/// A message is given up while there is no room to say so: nobody waits for it, its readers are
/// told before the next message, and the connections stay as they were.
@ParameterizedClass
@Stacks({"loopback", "shm", "tcp"})
@Timeout(60)
class GivenUpForWantOfRoomTest {
    private static final int PART = 100_000;

    private final Pair pair = new Pair();

    @Parameter String stack;

    @AfterEach
    void close() {
        pair.close();
    }

    private ReceivePort in(PortType type, String name) {
        return pair.receive(pair.there, type, name);
    }

    private SendPort out(PortType type, ReceivePort... to) {
        var out = pair.send(pair.here, type, "out");
        for (var in : to) {
            out.connect(pair.there.id(), in.name());
        }
        return out;
    }

    /// The thread is interrupted from the start, so that it goes on until it would have to wait.
    private static void givesUp(SendPort out, boolean stillInterrupted) {
        Thread.currentThread().interrupt();
        try (var message = out.newMessage()) {
            assertThatThrownBy(() -> writeForEver(message)).isInstanceOf(WaitInterrupted.class);
            if (!stillInterrupted) {
                assertThat(Thread.interrupted()).isTrue();
            }
        }
        assertThat(Thread.interrupted()).isEqualTo(stillInterrupted);
    }

    private static void writeForEver(WriteMessage message) {
        while (true) {
            message.writeArray(new byte[PART]);
        }
    }

    private static void say(SendPort out, int value) {
        try (var message = out.newMessage()) {
            message.writeInt(value).finish();
        }
    }

    private static void hears(ReceivePort in, int value) {
        try (var message = in.receive()) {
            assertThat(message.readInt()).isEqualTo(value);
        }
    }

    private static void hearsOfIt(ReceivePort in) {
        assertThatThrownBy(
                        () -> {
                            try (var message = in.receive()) {
                                while (true) {
                                    message.readArray(new byte[PART]);
                                }
                            }
                        })
                .isInstanceOf(MessageAbandoned.class);
    }

    @Test
    void its_readers_are_told_before_the_next_message() {
        var type = PortType.oneToOne().stack(stack);
        try (var in = in(type, "in");
                var out = out(type, in)) {
            for (var interrupted : new boolean[] {true, false}) {
                givesUp(out, interrupted);
                var saying = Background.run(() -> say(out, 7));
                hearsOfIt(in);
                hears(in, 7);
                saying.join();
            }
            assertThat(out.messages()).isEqualTo(2);
        }
    }

    @Test
    void its_readers_are_told_though_there_is_no_next_message() {
        var type = PortType.oneToMany().stack(stack);
        try (var one = in(type, "one");
                var two = in(type, "two");
                var out = out(type, one, two)) {
            givesUp(out, true);
            var reading = Background.run(() -> hearsOfIt(two));
            hearsOfIt(one);
            reading.join();
            say(out, 8);
            hears(one, 8);
            hears(two, 8);
        }
    }

    @Test
    void its_readers_are_told_before_the_connection_ends() {
        var type = PortType.oneToOne().with(Capability.CONNECTION_DOWNCALLS).stack(stack);
        try (var in = in(type, "in");
                var out = out(type, in)) {
            givesUp(out, true);
            var leaving = Background.run(out::disconnect);
            hearsOfIt(in);
            leaving.join();
            eventually("the end comes", () -> in.poll() == null && in.connections().isEmpty());
            assertThat(in.lostConnections()).singleElement().matches(lost -> !lost.broken());
        }
    }

    @Test
    void who_came_later_hears_nothing_of_it() {
        var type = PortType.oneToMany().stack(stack);
        try (var one = in(type, "one");
                var two = in(type, "two");
                var out = out(type, one)) {
            givesUp(out, true);
            out.connect(pair.there.id(), two.name());
            var saying = Background.run(() -> say(out, 9));
            hearsOfIt(one);
            hears(one, 9);
            hears(two, 9);
            saying.join();
        }
    }

    @Test
    void who_would_say_the_next_message_may_be_interrupted_or_find_the_port_closed() {
        var type = PortType.oneToOne().stack(stack);
        try (var in = in(type, "in");
                var out = out(type, in)) {
            givesUp(out, true);
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> next(out)).isInstanceOf(WaitInterrupted.class);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(out.connections()).hasSize(1);
            var saying = Background.run(() -> next(out));
            out.close(Duration.ofMillis(1));
            assertThatThrownBy(saying::join)
                    .cause()
                    .isInstanceOfAny(PortClosed.class, ConnectionLost.class);
        }
    }

    /// A socket may have room again for what is owed, and for more.
    private static void next(SendPort out) {
        try (var message = out.newMessage()) {
            writeForEver(message);
        }
    }

    @Test
    void a_receiver_that_closes_is_owed_nothing() {
        var type = PortType.oneToMany().stack(stack);
        var two = in(type, "two");
        try (var one = in(type, "one");
                var out = out(type, one, two)) {
            givesUp(out, false);
            var saying =
                    Background.run(() -> {
                        eventually("it is let go of", () -> out.connections().size() == 1);
                        say(out, 10);
                    });
            two.close();
            assertThatThrownBy(saying::join).hasCauseInstanceOf(ConnectionLost.class);
            var again = Background.run(() -> say(out, 11));
            hearsOfIt(one);
            hears(one, 11);
            again.join();
        }
    }
}
