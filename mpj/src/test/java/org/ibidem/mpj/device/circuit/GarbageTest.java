package org.ibidem.mpj.device.circuit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.ibidem.Background;
import org.ibidem.buffer.Frame;
import org.ibidem.circuit.Circuit;
import org.ibidem.circuit.CircuitReceiver;
import org.ibidem.hub.Hub;
import org.ibidem.mpj.data.Kind;
import org.ibidem.mpj.data.Part;
import org.ibidem.mpj.data.Shape;
import org.ibidem.mpj.device.DeviceFailed;
import org.ibidem.mpj.device.Envelope;
import org.ibidem.mpj.device.Incoming;
import org.ibidem.mpj.device.Outgoing;
import org.ibidem.registry.Join;
import org.ibidem.registry.Member;
import org.ibidem.registry.Node;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A process that sends what no device sends is named to who waits for it, and nobody else minds,
/// whoever polls.
@Timeout(60)
class GarbageTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final CircuitDevice.Limits LIMITS = new CircuitDevice.Limits(64, 4 << 10);
    private static final Shape BYTE = Shape.of(Kind.BYTE, 1);
    private static final int RIGHT = 1;

    private final Hub hub = Hub.start(Hub.Options.DEFAULT.port(0));
    private final List<Node> nodes = new ArrayList<>();
    private List<NodeId> members = List.of();

    @AfterEach
    void close() {
        nodes.forEach(Node::close);
        hub.close();
    }

    private void join(int size) {
        var join = Join.pool("garbage").hub("localhost:" + hub.port()).size(size);
        IntStream.range(0, size).forEach(rank -> nodes.add(Node.join(join.rank(rank))));
        members = nodes.getFirst().awaitMembers(size, LIMIT).stream().map(Member::id).toList();
    }

    private CircuitDevice device(int rank) {
        return new CircuitDevice(nodes.get(rank), members, "auto", LIMITS, () -> {});
    }

    private static final class Deaf implements CircuitReceiver {
        @Override
        public boolean frame(int from, Frame frame) {
            return true;
        }

        @Override
        public void lost(int from, boolean inOrder, String why) {}
    }

    /// What a process sends, and what is said of it.
    private record Bad(String said, Write write) {
        void sendFrom(Circuit circuit) {
            var room = new Frame();
            boolean[] sent = {false};
            circuit.await(() -> sent[0] || (sent[0] = trySend(circuit, room)));
        }

        /// Asked with the turn in hand, as nobody else uses this circuit.
        private boolean trySend(Circuit circuit, Frame room) {
            if (!circuit.claim(0, room, Header.LARGE)) {
                return false;
            }
            write.into(room, circuit.self());
            circuit.commit(0, room, 0);
            return true;
        }
    }

    /// Fills a frame.
    private interface Write {
        void into(Frame room, int self);
    }

    private static Bad small(String said, int kind) {
        return new Bad(said, (room, _) -> Header.write(room, kind, 77, 5));
    }

    private static final List<Bad> ALL =
            List.of(
                    new Bad("a frame of 3 bytes", (room, _) -> room.position += 3),
                    small("a frame of kind 99", 99),
                    small("a header of 16 bytes", Header.EAGER),
                    small("the rest of no message", Header.REST),
                    small("what nobody asked for", Header.DATA),
                    small("an answer to no message", Header.REPLY),
                    small("an answer to no message", Header.DONE),
                    small("a message that nobody wanted back", Header.CANCELLED),
                    new Bad(
                            "a cancel with the tag -1",
                            (room, _) -> Header.write(room, Header.CANCEL, 77, -1)),
                    new Bad(
                            "Envelope[source=" + RIGHT,
                            (room, _) -> Header.write(room, Header.EAGER, 0, eager(RIGHT, 8))),
                    new Bad(
                            "bytes beyond what it may have here",
                            (room, self) ->
                                    Header.write(room, Header.EAGER, 0, eager(self, 8 << 10))));

    private static Envelope eager(int source, int bytes) {
        return new Envelope(source, 0, 1, 0, Kind.BYTE.code(), bytes, 0, false, false);
    }

    private static Incoming one(byte[] into) {
        return Part.of(into, 0, 1, BYTE).incoming();
    }

    /// One thread waits for who sends rightly, and with that polls for all.
    @Test
    void it_ends_what_waits_for_its_sender_and_nothing_else() {
        int first = RIGHT + 1;
        join(first + ALL.size());
        try (var here = device(0)) {
            var got = new byte[1];
            var right = Background.call(() -> here.recv(one(got), RIGHT, 1, 0));
            for (int i = 0; i < ALL.size(); i++) {
                var bad = ALL.get(i);
                int from = first + i;
                var node = nodes.get(from);
                var wrong = Background.call(() -> here.recv(one(new byte[1]), from, 1, 0));
                try (var circuit = Circuit.open(node, "mpj", members, "auto", new Deaf())) {
                    bad.sendFrom(circuit);
                    assertThatThrownBy(wrong::join)
                            .isInstanceOf(CompletionException.class)
                            .cause()
                            .isInstanceOf(DeviceFailed.class)
                            .hasMessageStartingWith(
                                    "process "
                                            + from
                                            + " is gone: it has sent what no device sends: ")
                            .hasMessageContaining(bad.said);
                }
            }
            assertThat(right).as("nobody else minds").isNotDone();
            try (var other = device(RIGHT)) {
                other.send(Part.of(new byte[] {7}, 0, 1, BYTE).outgoing(), 0, 1, 0);
                assertThat(right.join().source()).isEqualTo(RIGHT);
                assertThat(got).containsExactly(7);
            }
        }
    }

    private static Bad header(int tag, int request) {
        return new Bad(
                "",
                (room, self) ->
                        Header.write(
                                room,
                                Header.START,
                                request,
                                new Envelope(
                                        self, 0, tag, 0, Kind.BYTE.code(), 1, 0, false, false)));
    }

    /// Of messages that wait to be asked for each costs memory, though its bytes are not here.
    @Test
    void headers_that_wait_for_receives_are_bounded() {
        int most = 100;
        join(2);
        var limits = new CircuitDevice.Limits(64, 4 << 10, most);
        try (var here = new CircuitDevice(nodes.getFirst(), members, "auto", limits, () -> {});
                var circuit = Circuit.open(nodes.getLast(), "mpj", members, "auto", new Deaf())) {
            IntStream.range(0, most).forEach(i -> header(1, i).sendFrom(circuit));
            here.probe(1, 1, 0);
            here.irecv(one(new byte[1]), 1, 1, 0); // one less waits
            header(2, most).sendFrom(circuit);
            here.probe(1, 2, 0);
            var next = Background.call(() -> here.recv(one(new byte[1]), 1, 3, 0));
            header(2, most + 1).sendFrom(circuit);
            assertThatThrownBy(next::join)
                    .cause()
                    .isInstanceOf(DeviceFailed.class)
                    .hasMessageContaining("more than 100 messages that wait to be asked for");
        }
    }

    /// A class of the message that cannot be read, such as one that is not there.
    @Test
    void an_error_of_who_receives_is_told_to_who_waits_for_it() {
        join(2);
        try (var here = device(0);
                var other = device(1)) {
            var bad = new byte[1];
            var failing =
                    new Incoming() {
                        @Override
                        public long begin(Envelope message) {
                            return message.size();
                        }

                        @Override
                        public void read(MemorySegment from, long at, int count) {}

                        @Override
                        public void end() {
                            throw new NoClassDefFoundError("heat/Cell");
                        }
                    };
            var next = Background.call(() -> here.recv(one(bad), 1, 2, 0));
            var first = Background.call(() -> here.recv(failing, 1, 1, 0));
            var message = Part.of(new byte[] {7}, 0, 1, BYTE);
            other.send(message.outgoing(), 0, 1, 0);
            assertThatThrownBy(first::join)
                    .cause()
                    .isInstanceOf(DeviceFailed.class)
                    .hasMessage(
                            "the message cannot be received: java.lang.NoClassDefFoundError: heat/Cell");
            other.send(message.outgoing(), 0, 2, 0);
            assertThat(next.join().source()).isEqualTo(1);
        }
    }

    /// Fails where it is told to, as a program's assertion does.
    private record Failing(String where) implements Incoming {
        private void fail(String here) {
            if (where.equals(here)) {
                throw new AssertionError("for this test");
            }
        }

        @Override
        public long begin(Envelope message) {
            fail("begin");
            return message.size();
        }

        @Override
        public void read(MemorySegment from, long at, int count) {
            fail("read");
        }

        @Override
        public void end() {
            fail("end");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "begin, 1", "read, 1", "end, 1",
        "begin, 100000", "read, 100000", "end, 100000"
    })
    void an_assertion_that_fails_as_a_message_comes_ends_one_receive_and_nothing_else(
            String where, int size) throws Exception {
        join(2);
        try (var here = device(0);
                var other = device(1)) {
            var first = Background.call(() -> here.recv(new Failing(where), 1, 1, 0));
            var large = Part.of(new byte[size], 0, size, BYTE);
            var sent = Background.call(() -> send(other, large.outgoing()));
            assertThatThrownBy(first::join)
                    .cause()
                    .isInstanceOf(DeviceFailed.class)
                    .hasMessage(
                            "the message cannot be received: java.lang.AssertionError: for this"
                                    + " test");
            var next = Background.call(() -> here.recv(one(new byte[1]), 1, 2, 0));
            assertThat(sent.get(20, TimeUnit.SECONDS)).as("its sender").isEqualTo("sent");
            other.send(Part.of(new byte[] {7}, 0, 1, BYTE).outgoing(), 0, 2, 0);
            assertThat(next.get(20, TimeUnit.SECONDS).source()).isEqualTo(1);
        }
    }

    private static String send(CircuitDevice from, Outgoing message) {
        from.send(message, 0, 1, 0);
        return "sent";
    }

    /// Keeps what it is sent.
    private static final class Listening implements CircuitReceiver {
        private int kind;
        private int request;
        private int value;

        @Override
        public boolean frame(int from, Frame frame) {
            kind = Header.kind(frame.memory, frame.position);
            boolean begins = kind <= Header.START;
            int at = begins ? Header.REQUEST : Header.SMALL_REQUEST;
            request = frame.memory.get(Header.INT, frame.position + at);
            value = begins ? 0 : frame.memory.get(Header.INT, frame.position + Header.VALUE);
            return true;
        }

        void await(Circuit circuit, int wanted) {
            circuit.await(() -> kind == wanted);
        }

        @Override
        public void lost(int from, boolean inOrder, String why) {}
    }

    private static Bad data(int receive, int content) {
        return new Bad(
                "",
                (room, _) -> {
                    Header.write(room, Header.DATA, receive, 0);
                    room.memory.set(Header.BYTE, room.position++, (byte) content);
                });
    }

    private static Bad answer(int kind, int request) {
        return new Bad("", (room, _) -> Header.write(room, kind, request, 0));
    }

    private static void requireGarbage(CompletableFuture<Envelope> waits, String said) {
        assertThatThrownBy(() -> waits.get(20, TimeUnit.SECONDS))
                .cause()
                .isInstanceOf(DeviceFailed.class)
                .hasMessageStartingWith("process 1 is gone: it has sent what no device sends: ")
                .hasMessageContaining(said);
    }

    private Circuit circuit(int rank, CircuitReceiver receiver) {
        return Circuit.open(nodes.get(rank), "mpj", members, "auto", receiver);
    }

    /// The number of a receive is no secret, as numbers are used one after the other.
    @Test
    void bytes_of_a_message_come_from_its_sender_alone() throws Exception {
        join(3);
        var heard = new Listening();
        try (var here = device(0);
                var liar = circuit(1, new Deaf());
                var right = circuit(2, heard)) {
            var got = new byte[1];
            var receiving = Background.call(() -> here.recv(one(got), 2, 1, 0));
            var waits = Background.call(() -> here.recv(one(new byte[1]), 1, 1, 0));
            header(1, 0).sendFrom(right);
            heard.await(right, Header.REPLY);
            data(heard.value, 9).sendFrom(liar);
            requireGarbage(waits, "what nobody asked for");
            assertThat(receiving).isNotDone();
            data(heard.value, 7).sendFrom(right);
            assertThat(receiving.get(20, TimeUnit.SECONDS).source()).isEqualTo(2);
            assertThat(got).containsExactly(7);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {Header.DONE, Header.REPLY, Header.CANCELLED})
    void a_message_is_answered_by_its_receiver_alone(int kind) throws Exception {
        join(3);
        var heard = new Listening();
        int size = kind == Header.REPLY ? 100 : 1;
        try (var here = device(0);
                var liar = circuit(1, new Deaf());
                var right = circuit(2, heard)) {
            var waits = Background.call(() -> here.recv(one(new byte[1]), 1, 1, 0));
            var sent = here.issend(Part.of(new byte[size], 0, size, BYTE).outgoing(), 2, 1, 0);
            heard.await(right, kind == Header.REPLY ? Header.START : Header.SYNC);
            int request = heard.request;
            if (kind == Header.CANCELLED) {
                boolean _ = sent.cancel();
            }
            answer(kind, request).sendFrom(liar);
            requireGarbage(waits, "an answer to no message");
            assertThat(sent.isDone()).isFalse();
            answer(kind, request).sendFrom(right);
            var ended = Background.call(sent::await);
            if (kind == Header.REPLY) {
                heard.await(right, Header.DATA);
            }
            assertThat(ended.get(20, TimeUnit.SECONDS).cancelled())
                    .isEqualTo(kind == Header.CANCELLED);
        }
    }
}
