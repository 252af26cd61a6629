package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.Eventually.eventually;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.ibidem.Background;
import org.ibidem.station.NodeRuntime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Objects in the ring that several receivers read.
@Tag("slow")
@Timeout(60)
@SuppressWarnings({"try", "ReferenceEquality"}) // ports are closed in the middle; the same object
class ObjectsBroadcastTest {
    private static final PortType SHM = PortType.oneToMany().stack("shm").data(Data.OBJECT);

    private final Pair pair = new Pair();
    private final NodeRuntime third = pair.runtime();
    private final SendPort out = pair.send(pair.here, SHM, "out");
    private final List<Reader> readers = new ArrayList<>();
    private final List<Reader> all = new ArrayList<>();
    private int sent;

    @AfterEach
    void close() {
        out.close();
        all.forEach(reader -> reader.in.close());
        third.close();
        pair.close();
    }

    /// Something that can be named.
    private static class Leaf implements Serializable {
        private static final long serialVersionUID = 1L;
        final int number;

        Leaf(int number) {
            this.number = number;
        }
    }

    /// Comes only when they are joined.
    private static final class Later extends Leaf {
        private static final long serialVersionUID = 2L;

        Later(int number) {
            super(number);
        }
    }

    /// Reads objects until its port is closed.
    private final class Reader {
        final ReceivePort in;
        final Target target;
        final CompletableFuture<Void> reading;
        volatile int first = -1;
        volatile int read = -1;
        int abandoned; // before read is written

        Reader(NodeRuntime node, String name) {
            in = pair.receive(node, SHM, name);
            target = new Target(node.id(), name);
            reading = Background.run(this::readAll);
        }

        private void readAll() {
            while (true) {
                try (var message = in.receive()) {
                    int number = message.readInt();
                    if (first < 0) {
                        first = number;
                    } else {
                        assertThat(number).isEqualTo(read + 1);
                    }
                    requireGraph(number, message.readInt(), (Object[]) message.readObject());
                    read = number;
                } catch (MessageAbandoned _) {
                    abandoned++;
                } catch (PortClosed _) {
                    return;
                }
            }
        }

        void requireAll() {
            eventually(
                    target + " has read up to " + (sent - 1),
                    () -> reading.isDone() || read == sent - 1);
            assertThat(reading).isNotCompletedExceptionally();
        }
    }

    private static void requireGraph(int number, int leaves, Object[] graph) {
        boolean shared = isShared(number);
        assertThat(graph).hasSize(shared ? 2 * leaves : leaves);
        for (int i = 0; i < leaves; i++) {
            assertThat(((Leaf) graph[i]).number).isEqualTo(number + i);
            if (shared && graph[leaves + i] != graph[i]) {
                throw new AssertionError("not the same at " + i + " of message " + number);
            }
        }
    }

    /// Every other message names each of its objects twice.
    private static boolean isShared(int number) {
        return number % 2 == 0;
    }

    private void send(int leaves) {
        send(leaves, false);
    }

    private void send(int leaves, boolean later) {
        int number = sent++;
        var graph =
                IntStream.range(number, number + leaves)
                        .mapToObj(i -> later ? new Later(i) : new Leaf(i))
                        .toArray();
        if (isShared(number)) {
            graph = Arrays.copyOf(graph, 2 * leaves);
            System.arraycopy(graph, 0, graph, leaves, leaves);
        }
        try (var message = out.newMessage()) {
            message.writeInt(number).writeInt(leaves).writeObject(graph).finish();
        }
    }

    private Reader reader(NodeRuntime node, String name) {
        var reader = new Reader(node, name);
        readers.add(reader);
        all.add(reader);
        out.connect(reader.target.node(), name);
        return reader;
    }

    private void three() {
        reader(pair.there, "a");
        reader(third, "b");
        reader(pair.there, "c");
    }

    private boolean isOneWrite() {
        return out.sink().toString().startsWith("one write for ");
    }

    private void sendUntilJoined() {
        eventually(
                "they are joined",
                () -> {
                    send(3);
                    return isOneWrite();
                });
    }

    @Test
    void objects_are_shared_within_a_message_and_classes_said_while_they_are_joined() {
        three();
        sendUntilJoined();
        for (int i = 0; i < 300; i++) {
            send(i % 50 < 2 ? 30_000 : i % 50, i > 100);
        }
        readers.forEach(Reader::requireAll);
        assertThat(isOneWrite()).isTrue();
    }

    @Test
    void a_message_larger_than_the_ring_is_joined_in_its_middle() {
        three();
        send(1_000_000);
        send(1_000_000);
        readers.forEach(Reader::requireAll);
        sendUntilJoined();
        readers.forEach(Reader::requireAll);
    }

    @Test
    void one_that_comes_late_gets_the_descriptions_of_what_follows() {
        three();
        for (int i = 0; i < 3; i++) {
            sendUntilJoined();
            send(2, true);
            int from = sent;
            var late = reader(third, "late " + i);
            send(2, true);
            readers.forEach(Reader::requireAll);
            assertThat(late.first).isEqualTo(from);
            sendUntilJoined();
            send(2, true);
            assertThat(out.sink()).hasToString("one write for " + (4 + i) + " receivers");
        }
        readers.forEach(Reader::requireAll);
    }

    @Test
    void one_that_leaves_has_got_all_before_and_the_others_go_on() {
        three();
        var leaver = readers.get(1);
        sendUntilJoined();
        send(50_000);
        int last = sent - 1;
        assertThat(out.disconnect(third.id(), "b")).isTrue();
        readers.remove(leaver);
        send(2, true); // nobody has heard of this class
        sendUntilJoined();
        readers.forEach(Reader::requireAll);
        eventually("it has read all", () -> leaver.reading.isDone() || leaver.read == last);
        assertThat(leaver.reading).isNotDone();
        assertThat(leaver.read).isEqualTo(last);
    }

    @Test
    void a_message_given_up_while_they_are_joined_leaves_no_gap_in_what_they_know() {
        three();
        int times = 0;
        for (int leaves : new int[] {1, 100_000}) {
            sendUntilJoined();
            readers.forEach(Reader::requireAll);
            var graph = IntStream.range(0, leaves).mapToObj(Later::new).toArray();
            try (var message = out.newMessage()) {
                message.writeInt(sent).writeInt(leaves).flush().writeObject(graph);
            }
            send(2, true);
            readers.forEach(Reader::requireAll);
            int given = ++times;
            assertThat(readers).allMatch(reader -> reader.abandoned == given);
        }
    }
}
