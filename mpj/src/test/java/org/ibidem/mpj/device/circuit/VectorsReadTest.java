package org.ibidem.mpj.device.circuit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.ibidem.Background;
import org.ibidem.buffer.Frame;
import org.ibidem.circuit.Circuit;
import org.ibidem.circuit.CircuitReceiver;
import org.ibidem.hub.Hub;
import org.ibidem.mpj.data.Kind;
import org.ibidem.mpj.data.Part;
import org.ibidem.mpj.data.Shape;
import org.ibidem.mpj.device.Request;
import org.ibidem.registry.Join;
import org.ibidem.registry.Member;
import org.ibidem.registry.Node;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A device takes the bytes of the vectors for the messages that they are, and answers with those
/// that are there for the answers.
@Timeout(60)
class VectorsReadTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Shape BYTE = Shape.of(Kind.BYTE, 1);
    private static final int CONTEXT = 3;

    private final Hub hub = Hub.start(Hub.Options.DEFAULT.port(0));
    private final List<Node> nodes =
            IntStream.range(0, 2)
                    .mapToObj(rank ->
                            Node.join(
                                    Join.pool("vectors")
                                            .hub("localhost:" + hub.port())
                                            .size(2)
                                            .rank(rank)))
                    .toList();

    @AfterEach
    void close() {
        nodes.forEach(Node::close);
        hub.close();
    }

    /// What comes to a circuit, byte by byte.
    private static final class Heard implements CircuitReceiver {
        private final List<byte[]> frames = new CopyOnWriteArrayList<>();

        @Override
        public boolean frame(int from, Frame frame) {
            var bytes = frame.memory.asSlice(frame.position, frame.room());
            frames.add(bytes.toArray(ValueLayout.JAVA_BYTE));
            return true;
        }

        @Override
        public void lost(int from, boolean inOrder, String why) {}
    }

    private static void send(Circuit circuit, String vector) throws Exception {
        var bytes = HeaderVectorsTest.vector(vector);
        var room = new Frame();
        boolean[] sent = {false};
        circuit.await(() -> sent[0] || (sent[0] = trySend(circuit, room, bytes)));
    }

    /// Asked with the turn in hand, as nobody else uses this circuit.
    private static boolean trySend(Circuit circuit, Frame room, byte[] bytes) {
        if (!circuit.claim(0, room, bytes.length)) {
            return false;
        }
        MemorySegment.copy(
                MemorySegment.ofArray(bytes), 0, room.memory, room.position, bytes.length);
        room.position += bytes.length;
        circuit.commit(0, room, 0);
        return true;
    }

    @Test
    void messages_are_taken_for_what_they_are() throws Exception {
        play((device, circuit, heard) -> {
            var got = new byte[3];
            var eager =
                    Background.call(
                            () -> device.recv(Part.of(got, 0, 3, BYTE).incoming(), 1, 7, CONTEXT));
            send(circuit, "begun");
            send(circuit, "rest");
            assertThat(eager.join().bytes()).isEqualTo(3);
            assertThat(got).containsExactly(10, 11, 12);
            var asked = new byte[2];
            var later =
                    Background.call(() ->
                            device.recv(Part.of(asked, 0, 2, BYTE).incoming(), 1, 8, CONTEXT));
            send(circuit, "asks");
            circuit.await(() -> !heard.frames.isEmpty());
            assertThat(heard.frames).containsExactly(HeaderVectorsTest.vector("asked"));
            send(circuit, "data");
            assertThat(later.join().bytes()).isEqualTo(2);
            assertThat(asked).containsExactly(13, 14);
        });
    }

    /// The two processes, one of which is known by its bytes.
    private interface Play {
        void play(CircuitDevice device, Circuit circuit, Heard heard) throws Exception;
    }

    private void play(Play play) throws Exception {
        var members = nodes.getFirst().awaitMembers(2, LIMIT).stream().map(Member::id).toList();
        var limits = new CircuitDevice.Limits(64, 4 << 10);
        var heard = new Heard();
        try (var device = new CircuitDevice(nodes.get(0), members, "auto", limits, () -> {});
                var circuit = Circuit.open(nodes.get(1), "mpj", members, "auto", heard)) {
            device.keepGoing();
            play.play(device, circuit, heard);
        }
    }

    private static void hears(Circuit circuit, Heard heard, String... vectors) throws Exception {
        circuit.await(() -> heard.frames.size() >= vectors.length);
        var expected = new ArrayList<byte[]>();
        for (var vector : vectors) {
            expected.add(HeaderVectorsTest.vector(vector));
        }
        assertThat(heard.frames).containsExactlyElementsOf(expected);
    }

    @Test
    void a_message_is_given_back_to_its_sender() throws Exception {
        play((device, circuit, heard) -> {
            send(circuit, "offers");
            assertThat(device.probe(1, 7, CONTEXT).bytes()).isEqualTo(2);
            hears(circuit, heard, "version");
            send(circuit, "cancel");
            var next = new byte[2];
            var received =
                    Background.call(
                            () -> device.recv(Part.of(next, 0, 2, BYTE).incoming(), 1, 8, CONTEXT));
            hears(circuit, heard, "version", "cancelled");
            assertThat(device.iprobe(1, 7, CONTEXT)).isNull();
            send(circuit, "cancel"); // it has gone: that is no mistake of its sender
            send(circuit, "asks");
            hears(circuit, heard, "version", "cancelled", "asked");
            send(circuit, "data");
            assertThat(received.join().bytes()).isEqualTo(2);
        });
    }

    private static Request waits(CircuitDevice device) {
        return device.issend(Part.of(new byte[] {42}, 0, 1, BYTE).outgoing(), 1, 7, CONTEXT);
    }

    @Test
    void a_message_is_wanted_back_once_its_receiver_understands_that() throws Exception {
        play((device, circuit, heard) -> {
            var sent = waits(device);
            hears(circuit, heard, "waits");
            assertThat(sent.cancel()).isFalse();
            send(circuit, "version");
            var end = Background.call(sent::await);
            hears(circuit, heard, "waits", "wanted");
            send(circuit, "given");
            assertThat(end.join().cancelled()).isTrue();
        });
    }

    /// It never says its version: a cancel does nothing.
    @Test
    void a_process_of_version_1_is_sent_nothing_that_it_does_not_know() throws Exception {
        play((device, circuit, heard) -> {
            var sent = waits(device);
            hears(circuit, heard, "waits");
            assertThat(sent.cancel()).isFalse();
            assertThat(sent.isEnding()).isFalse();
            var message = Part.of(new byte[1], 0, 1, BYTE);
            var later = Background.call(() -> device.recv(message.incoming(), 1, 8, CONTEXT));
            send(circuit, "asks");
            hears(circuit, heard, "waits", "asked");
            send(circuit, "data");
            assertThatThrownBy(later::join).hasMessageContaining("longer than the 1");
            var end = Background.call(sent::await);
            send(circuit, "met");
            assertThat(end.join().cancelled()).isFalse();
        });
    }
}
