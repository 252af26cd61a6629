package org.ibidem.mpj.device.circuit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.ibidem.buffer.Frame;
import org.ibidem.circuit.Circuit;
import org.ibidem.circuit.CircuitReceiver;
import org.ibidem.hub.Hub;
import org.ibidem.mpj.data.Kind;
import org.ibidem.mpj.data.Part;
import org.ibidem.mpj.data.Shape;
import org.ibidem.mpj.device.Background;
import org.ibidem.mpj.device.DeviceFailed;
import org.ibidem.mpj.device.Envelope;
import org.ibidem.mpj.device.Incoming;
import org.ibidem.registry.Join;
import org.ibidem.registry.Member;
import org.ibidem.registry.Node;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

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
            var right = Background.of(() -> here.recv(one(got), RIGHT, 1, 0));
            for (int i = 0; i < ALL.size(); i++) {
                var bad = ALL.get(i);
                int from = first + i;
                var node = nodes.get(from);
                var wrong = Background.of(() -> here.recv(one(new byte[1]), from, 1, 0));
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
            var next = Background.of(() -> here.recv(one(bad), 1, 2, 0));
            var first = Background.of(() -> here.recv(failing, 1, 1, 0));
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
}
