package org.ibidem.personality;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.ibidem.circuit.ReceiveMode;
import org.ibidem.circuit.SendMode;
import org.ibidem.hub.Hub;
import org.ibidem.personality.fm.FastMessages;
import org.ibidem.personality.madeleine.Madeleine;
import org.ibidem.registry.Join;
import org.ibidem.registry.Member;
import org.ibidem.registry.Node;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PersonalitiesTest {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

    private final Hub hub = Hub.start(Hub.Options.DEFAULT.port(0));
    private final List<Node> nodes = new ArrayList<>();
    private final List<NodeId> members;

    PersonalitiesTest() {
        var join = Join.pool("both").hub("localhost:" + hub.port()).size(2);
        nodes.add(Node.join(join.rank(0)));
        nodes.add(Node.join(join.rank(1)));
        members =
                nodes.getFirst().awaitMembers(2, Duration.ofSeconds(30)).stream()
                        .map(Member::id)
                        .toList();
    }

    @AfterEach
    void close() {
        nodes.forEach(Node::close);
        hub.close();
    }

    private static MemorySegment ints(int... values) {
        var piece = Arena.ofAuto().allocate(4L * values.length);
        for (int i = 0; i < values.length; i++) {
            piece.set(INT, 4L * i, values[i]);
        }
        return piece;
    }

    @Test
    void a_fast_message_is_received_by_its_handler_in_other_pieces_than_it_was_sent() {
        try (var one = FastMessages.open(nodes.get(0), "fm", members, "auto");
                var two = FastMessages.open(nodes.get(1), "fm", members, "auto")) {
            var sum = new AtomicInteger();
            FastMessages.Handler adds =
                    (stream, sender) -> {
                        var some = ints(0, 0);
                        for (int got = 0; got < stream.size(); got += 8) {
                            stream.receive(some);
                            sum.addAndGet(some.get(INT, 0) + some.get(INT, 4) + sender);
                        }
                    };
            one.register((stream, sender) -> {});
            two.register((stream, sender) -> {});
            assertThat(one.register(adds)).isEqualTo(two.register(adds));
            for (int i = 0; i < 10; i++) {
                try (var stream = one.beginMessage(1, 16, 1)) {
                    stream.sendPiece(ints(1, 2, 3));
                    stream.sendPiece(ints(4));
                }
            }
            int got = 0;
            while (got == 0) {
                got = two.extract(1);
            }
            assertThat(got).as("no more than was asked for, but whole messages").isEqualTo(16);
            assertThat(sum).hasValue(10);
            while (got < 160) {
                got += two.extract(1000);
            }
            assertThat(sum).hasValue(100);
            try (var stream = one.beginMessage(1, 4, 0)) {
                assertThatThrownBy(() -> stream.sendPiece(ints(1, 2)))
                        .hasMessage("the message has 4 bytes more than it was begun with");
            }
        }
    }

    @Test
    void a_message_of_madeleine_is_packed_and_unpacked_with_its_modes() {
        try (var one = Madeleine.openChannel(nodes.get(0), "mad", members, "auto");
                var two = Madeleine.openChannel(nodes.get(1), "mad", members, "auto")) {
            assertThat(two.messageReady()).isFalse();
            var out = one.beginPacking(1);
            out.pack(ints(3), SendMode.SAFER, ReceiveMode.EXPRESS);
            var late = ints(7, 8, 9);
            out.pack(late, SendMode.LATER, ReceiveMode.CHEAPER);
            late.set(INT, 0, 6);
            out.endPacking();
            while (!two.messageReady()) {
                Thread.onSpinWait();
            }
            var in = two.beginUnpacking();
            var count = ints(0);
            in.unpack(count, SendMode.SAFER, ReceiveMode.EXPRESS);
            var values = ints(new int[count.get(INT, 0)]);
            in.unpack(values, SendMode.LATER, ReceiveMode.CHEAPER);
            in.endUnpacking();
            assertThat(in.remote()).isZero();
            assertThat(values.mismatch(ints(6, 8, 9))).isEqualTo(-1);
            assertThatThrownBy(in::endPacking).isInstanceOf(IllegalStateException.class);
        }
    }
}
