package org.ibidem.mpj.device.circuit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import org.ibidem.mpj.device.Envelope;
import org.ibidem.mpj.device.Request;
import org.ibidem.registry.Join;
import org.ibidem.registry.Member;
import org.ibidem.registry.Node;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Which messages a device wants back and gives back, frame by frame, with two processes that say
/// what they are told to.
@Timeout(60)
class CancelsTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Shape BYTE = Shape.of(Kind.BYTE, 1);
    private static final int MOST = 20;
    private static final int SIZE = 3;

    /// The least there is.
    private static final int TAG = 0;

    private final Hub hub = Hub.start(Hub.Options.DEFAULT.port(0));
    private final List<Node> nodes = new ArrayList<>();
    private CircuitDevice device;
    private Played one;
    private Played two;

    /// A process of which frames come and go as they are.
    private static final class Played implements CircuitReceiver, AutoCloseable {
        private final List<String> heard = new CopyOnWriteArrayList<>();
        private final Circuit circuit;

        Played(Node node, List<org.ibidem.topology.NodeId> members) {
            circuit = Circuit.open(node, "mpj", members, "auto", this);
        }

        @Override
        public boolean frame(int from, Frame frame) {
            int kind = Header.kind(frame.memory, frame.position);
            if (kind == Header.CREDIT) {
                return true; // it comes when it comes
            }
            boolean begins = kind <= Header.START;
            int at = begins ? Header.REQUEST : Header.SMALL_REQUEST;
            int request = frame.memory.get(Header.INT, frame.position + at);
            heard.add(
                    switch (kind) {
                        case Header.SYNC -> "SYNC " + request;
                        case Header.DONE -> "DONE " + request;
                        case Header.CANCEL -> "CANCEL " + request;
                        case Header.CANCELLED -> "CANCELLED " + request;
                        case Header.VERSION -> "VERSION";
                        default -> "kind " + kind;
                    });
            return true;
        }

        @Override
        public void lost(int from, boolean inOrder, String why) {}

        private interface Write {
            void into(Frame room);
        }

        private void send(int room, Write write) {
            var frame = new Frame();
            boolean[] sent = {false};
            circuit.await(() -> sent[0] || (sent[0] = trySend(frame, room, write)));
        }

        /// Asked with the turn in hand, as nobody else uses this circuit.
        private boolean trySend(Frame frame, int room, Write write) {
            if (!circuit.claim(0, frame, room)) {
                return false;
            }
            write.into(frame);
            circuit.commit(0, frame, 0);
            return true;
        }

        void says(int kind, int request, long value) {
            send(Header.SMALL, frame -> Header.write(frame, kind, request, value));
        }

        void cancels(int request) {
            says(Header.CANCEL, request, TAG);
        }

        void begins(int kind, int request, int tag) {
            begins(kind, request, tag, kind == Header.START ? 0 : SIZE);
        }

        /// @param here how many of its bytes follow at once
        void begins(int kind, int request, int tag, int here) {
            var message =
                    new Envelope(
                            circuit.self(), 0, tag, 0, Kind.BYTE.code(), SIZE, 0, false, false);
            send(
                    Header.LARGE + SIZE,
                    frame -> {
                        Header.write(frame, kind, request, message);
                        for (int i = 0; i < here; i++) {
                            frame.memory.set(Header.BYTE, frame.position++, (byte) i);
                        }
                    });
        }

        void hears(String... frames) {
            circuit.await(() -> heard.size() >= frames.length);
            assertThat(heard).containsExactly(frames);
            heard.clear();
        }

        @Override
        public void close() {
            circuit.close();
        }
    }

    @BeforeEach
    void open() {
        var join = Join.pool("cancels").hub("localhost:" + hub.port()).size(3);
        IntStream.range(0, 3).forEach(rank -> nodes.add(Node.join(join.rank(rank))));
        var members = nodes.getFirst().awaitMembers(3, LIMIT).stream().map(Member::id).toList();
        var limits = new CircuitDevice.Limits(64, 4 << 10, MOST);
        device = new CircuitDevice(nodes.getFirst(), members, "auto", limits, () -> {});
        device.keepGoing();
        one = new Played(nodes.get(1), members);
        two = new Played(nodes.get(2), members);
    }

    @AfterEach
    void close() {
        one.close();
        two.close();
        device.close();
        nodes.forEach(Node::close);
        hub.close();
    }

    private Request waits(int to) {
        return device.issend(Part.of(new byte[] {42}, 0, 1, BYTE).outgoing(), to, TAG, 0);
    }

    private static Part into() {
        return Part.of(new byte[SIZE], 0, SIZE, BYTE);
    }

    private void isGarbage(String said, Runnable sent) {
        var waiting = Background.call(() -> device.recv(into().incoming(), 1, 99, 0));
        sent.run();
        assertThatThrownBy(waiting::join).hasMessageContaining(said);
    }

    @Test
    void a_version_is_told_once_to_who_understands_and_has_something_wait_here() {
        one.says(Header.VERSION, 0, Header.SPOKEN);
        one.begins(Header.EAGER, 5, TAG);
        var _ = device.probe(1, TAG, 0);
        var _ = waits(1);
        one.hears("SYNC 0");
        one.begins(Header.SYNC, 6, TAG + 1);
        one.begins(Header.START, 7, TAG + 2);
        var _ = device.probe(1, TAG + 2, 0);
        var _ = waits(1);
        one.hears("VERSION", "SYNC 1");
    }

    @Test
    void who_says_that_it_understands_is_asked_for_what_was_wanted_back_and_for_nothing_else() {
        var first = waits(1);
        var kept = waits(1);
        var other = waits(2);
        one.hears("SYNC 0", "SYNC 1");
        two.hears("SYNC 2");
        assertThat(first.cancel()).isFalse();
        assertThat(other.cancel()).isFalse();
        one.says(Header.VERSION, 0, Header.SPOKEN);
        one.hears("CANCEL 0");
        assertThat(first.cancel()).as("a second time").isFalse();
        one.says(Header.VERSION, 0, Header.SPOKEN);
        one.begins(Header.EAGER, 5, TAG);
        var _ = device.probe(1, TAG, 0); // then it has heard all that
        assertThat(kept.cancel()).isFalse();
        var _ = waits(1);
        one.hears("CANCEL 1", "SYNC 3");
        two.says(Header.VERSION, 0, Header.SPOKEN);
        two.hears("CANCEL 2");
        one.says(Header.CANCELLED, 0, 0);
        two.says(Header.CANCELLED, 2, 0);
        assertThat(Background.call(first::await).join().cancelled()).isTrue();
        assertThat(Background.call(other::await).join().cancelled()).isTrue();
        one.says(Header.DONE, 1, 0);
        assertThat(Background.call(kept::await).join().cancelled()).isFalse();
    }

    @Test
    void what_nobody_wants_back_and_what_a_process_of_version_1_has_is_left_where_it_is() {
        var wanted = waits(1);
        one.hears("SYNC 0");
        assertThat(wanted.cancel()).isFalse();
        one.says(Header.VERSION, 0, 1);
        one.begins(Header.EAGER, 5, TAG);
        var _ = device.probe(1, TAG, 0); // then it has heard that
        var _ = waits(1);
        one.hears("SYNC 1");
        one.says(Header.VERSION, 0, Header.SPOKEN);
        one.begins(Header.EAGER, 6, TAG + 1);
        var _ = device.probe(1, TAG + 1, 0);
        var _ = waits(1);
        one.hears("CANCEL 0", "SYNC 2");
    }

    @Test
    void what_is_given_back_makes_room_for_as_much() {
        for (int kind : new int[] {Header.SYNC, Header.START}) {
            for (int i = 0; i < 3 * MOST; i++) {
                one.begins(kind, i, TAG);
                one.cancels(i);
                if (i == 0 && kind == Header.SYNC) {
                    one.hears("VERSION", "CANCELLED 0");
                } else {
                    one.hears("CANCELLED " + i);
                }
            }
        }
        assertThat(device.iprobe(1, TAG, 0)).isNull();
    }

    @Test
    void that_message_is_given_back_which_is_wanted() {
        one.begins(Header.EAGER, 5, TAG);
        two.begins(Header.SYNC, 5, TAG);
        one.begins(Header.SYNC, 6, TAG);
        one.begins(Header.SYNC, 7, TAG);
        var _ = device.probe(2, TAG, 0);
        two.hears("VERSION");
        one.cancels(5); // an eager one cannot be
        one.says(Header.CANCEL, 6, TAG + 1);
        one.says(Header.CANCEL, 6, TAG | 1L << Integer.SIZE); // of another context
        one.cancels(7);
        one.hears("VERSION", "CANCELLED 7");
        assertThat(device.recv(into().incoming(), 1, TAG, 0).bytes()).isEqualTo(SIZE);
        assertThat(device.recv(into().incoming(), 1, TAG, 0).bytes()).isEqualTo(SIZE);
        one.hears("DONE 6");
        assertThat(device.iprobe(1, TAG, 0)).isNull();
        assertThat(device.recv(into().incoming(), 2, TAG, 0).bytes()).isEqualTo(SIZE);
        two.hears("DONE 5");
    }

    @Test
    void a_message_is_wanted_back_when_all_of_it_has_left() {
        isGarbage(
                "a cancel within its message",
                () -> {
                    one.begins(Header.SYNC, 5, TAG, 1);
                    one.cancels(5);
                });
    }

    @Test
    void a_message_that_nobody_wants_is_not_given_back() {
        var sent = waits(1);
        one.hears("SYNC 0");
        isGarbage("a message that nobody wanted back", () -> one.says(Header.CANCELLED, 0, 0));
        assertThatThrownBy(() -> Background.call(sent::await).join())
                .as("its receiver is gone")
                .hasMessageContaining("process 1 is gone");
    }
}
