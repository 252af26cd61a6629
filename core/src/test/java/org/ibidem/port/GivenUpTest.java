package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.ibidem.Eventually.eventually;
import static org.ibidem.port.Traffic.fill;
import static org.ibidem.port.Traffic.readForEver;
import static org.ibidem.port.Traffic.receive;
import static org.ibidem.port.Traffic.send;
import static org.ibidem.port.Traffic.writeForEver;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.ibidem.Background;
import org.ibidem.Stacks;
import org.ibidem.arbitration.WaitInterrupted;
import org.ibidem.station.NodeRuntime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;

/// What becomes of a message or a connection that is given up, and of what shares its link.
@Timeout(60)
class GivenUpTest {
    private final Pair pair = new Pair();

    @AfterEach
    void close() {
        pair.close();
    }

    /// While there is no room to say so: nobody waits for it, its readers are told before the next
    /// message, and the connections stay as they were.
    @Nested
    @ParameterizedClass
    @Stacks({"loopback", "shm", "tcp"})
    class Messages {
        private static final int LINE = 64;

        /// From the beginning of a record to the first value of an array in it.
        private static final int HEADERS = 8 + 4 + 8;

        private static final int BEFORE = 4;
        private static final int ROUNDS = 5;

        private final String stack;

        Messages(String stack) {
            this.stack = stack;
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

        /// The thread is interrupted from the start, so that it goes on until it would have to
        /// wait.
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

        private static void hears(ReceivePort in, int value) {
            assertThat(receive(in)).isEqualTo(value);
        }

        private static void hearsOfIt(ReceivePort in) {
            assertThatThrownBy(
                            () -> {
                                try (var message = in.receive()) {
                                    readForEver(message);
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
                    var saying = Background.run(() -> send(out, 7));
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
                send(out, 8);
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
                var saying = Background.run(() -> send(out, 9));
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
                            send(out, 10);
                        });
                two.close();
                assertThatThrownBy(saying::join).hasCauseInstanceOf(ConnectionLost.class);
                var again = Background.run(() -> send(out, 11));
                hearsOfIt(one);
                hears(one, 11);
                again.join();
            }
        }

        /// What it has written to the ring means nothing there, even where each of its lines looks
        /// like the header of a record (docs/wire/ring.md).
        @Test
        void its_bytes_are_no_records() {
            var type = PortType.oneToOne().stack(stack);
            try (var in = in(type, "in");
                    var out = out(type, in)) {
                long line = 0; // each message takes one
                for (int round = 0; round < ROUNDS; round++) {
                    for (int i = 0; i < BEFORE; i++) {
                        exchange(out, in, line++);
                    }
                    try (var message = out.newMessage()) {
                        message.writeArray(headers(line));
                    }
                    exchange(out, in, line++);
                }
            }
        }

        private static void exchange(SendPort out, ReceivePort in, long value) {
            try (var message = out.newMessage()) {
                message.writeLong(value).finish();
            }
            try (var message = in.receive()) {
                assertThat(message.readLong()).isEqualTo(value);
            }
            assertThat(in.poll()).as("a message that nobody sent").isNull();
        }

        /// Those of empty records, one at the beginning of each line after the first.
        private static byte[] headers(long first) {
            var bytes = ByteBuffer.allocate(6 * LINE).order(ByteOrder.LITTLE_ENDIAN);
            for (int at = LINE; at < bytes.limit(); at += LINE) {
                long line = first + at / LINE;
                bytes.putLong(at - HEADERS, (line + 1) << Integer.SIZE);
            }
            return bytes.array();
        }
    }

    /// In the middle: one ends alone, as the other direction of its link belongs to another
    /// connection, which goes on.
    @Nested
    @ParameterizedClass
    @Stacks({"loopback", "shm", "tcp", "compress > tcp", "reliable > udp", "multiplex > tcp"})
    class Connections {
        private final PortType type;
        private final ReceivePort in;
        private final SendPort out;

        /// The connection in the opposite direction, of the same link.
        private final ReceivePort back;

        private final SendPort other;

        Connections(String stack) {
            this.type = PortType.oneToOne().stack(stack);
            this.in = pair.receive(pair.there, type, "in");
            this.out = pair.send(pair.here, type, "out");
            this.back = pair.receive(pair.here, type, "back");
            this.other = pair.send(pair.there, type, "other");
        }

        @BeforeEach
        void connect() {
            out.connect(pair.there.id(), "in");
            other.connect(pair.here.id(), "back");
            assertThat(pair.here.channels().links()).isEqualTo(1);
            goesOn();
        }

        private void goesOn() {
            for (int i = 0; i < 100; i++) {
                send(other, i);
                assertThat(receive(back)).isEqualTo(i);
            }
        }

        private static void interrupted(ThrowingCallable what) {
            Thread.currentThread().interrupt();
            var thrown = catchThrowable(what);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(thrown).isNull();
        }

        /// In shared memory an end finds room where a message does not.
        private boolean holdsNoEnd() {
            return !type.stack().equals("shm");
        }

        private void theReceiverIsTold(String why) {
            assertThatThrownBy(() -> receive(in))
                    .isInstanceOf(ConnectionLost.class)
                    .hasMessageContaining("its sender gave it up: " + why);
        }

        /// And the link, once nobody uses it; what connects meanwhile gets another.
        private void allEndsInOrder(NodeRuntime leaver) {
            goesOn();
            try (var next = pair.receive(pair.there, type, "next");
                    var more = pair.send(pair.here, type, "more")) {
                more.connect(pair.there.id(), "next");
                send(more, 7);
                assertThat(receive(next)).isEqualTo(7);
                goesOn();
            }
            other.close();
            back.close();
            eventually("its half link is closed", () -> leaver.channels().links() <= 1);
        }

        @Test
        void by_who_closes_a_port_with_a_message_in_another_hand() throws Exception {
            var message = Background.call(out::newMessage).get();
            message.writeInt(1).flush();
            assertThat(out.close(Duration.ZERO)).isFalse();
            theReceiverIsTold("its send port was closed with a message in hand");
            goesOn();
            assertThatThrownBy(message::finish)
                    .isInstanceOf(ConnectionLost.class)
                    .hasMessageContaining("was closed with it in hand");
            allEndsInOrder(pair.here);
        }

        @Test
        void by_who_finds_no_room_for_its_end() {
            if (!holdsNoEnd()) {
                return;
            }
            fill(out);
            if (out.close(Duration.ofMillis(20))) {
                assertThat(type.stack()).as("where the system may make room").contains("tcp");
                return;
            }
            goesOn();
            isLost("its reader did not make room for the end");
            allEndsInOrder(pair.here);
        }

        @Test
        void by_who_is_interrupted_before_its_end() {
            if (!holdsNoEnd()) {
                return;
            }
            fill(out);
            interrupted(out::close);
            goesOn();
            isLost("its sender was interrupted before it could say that it ends");
            allEndsInOrder(pair.here);
        }

        private void isLost(String why) {
            assertThat(out.connections()).isEmpty();
            var thrown = catchThrowable(() -> drop(in));
            assertThat(thrown).isInstanceOf(ConnectionLost.class);
            if (type.stack().equals("loopback")) { // elsewhere there may be room at any time
                assertThat(thrown).hasMessageContaining(why);
            }
        }

        private static void drop(ReceivePort from) {
            while (true) {
                from.receive().close();
            }
        }

        @Test
        void by_a_receiver_that_closes_with_a_message_in_another_hand() throws Exception {
            send(out, 1);
            var message = Background.call(in::receive).get();
            interrupted(in::close);
            eventually("the sender is told", () -> out.connections().isEmpty());
            assertThatThrownBy(() -> send(out, 2))
                    .isInstanceOf(ConnectionLost.class)
                    .hasMessageContaining("the receive port was closed with a message in hand");
            assertThat(message.readInt()).as("what it has").isEqualTo(1);
            message.close();
            allEndsInOrder(pair.there);
        }
    }
}
