package org.ibidem.personality;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.eventually;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    private static boolean sleeps(Thread thread) {
        return Stream.of(thread.getStackTrace())
                .anyMatch(at -> at.getClassName().endsWith("SelectorImpl"));
    }

    /// Pieces larger than what is on its way at once: nothing but the handler makes room for them.
    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp", "reliable > udp"})
    void a_handler_begins_before_all_is_sent_and_receives_the_rest_inside(String stack)
            throws Exception {
        try (var one = FastMessages.open(nodes.get(0), "fm", members, stack);
                var two = FastMessages.open(nodes.get(1), "fm", members, stack)) {
            var begun = new AtomicInteger();
            var last = new AtomicInteger();
            var by = new AtomicReference<Thread>();
            two.register((stream, sender) -> {
                by.set(Thread.currentThread());
                var word = ints(0);
                stream.receive(word);
                begun.set(word.get(INT, 0));
                for (int got = 4; got < stream.size(); got += 4) {
                    stream.receive(word);
                }
                last.set(word.get(INT, 0));
            });
            var extracted = new AtomicInteger();
            var extracting =
                    Thread.ofPlatform()
                            .daemon()
                            .start(() -> {
                                while (extracted.get() == 0) {
                                    extracted.set(two.extract(1));
                                }
                            });
            var first = ints(new int[1 << 18]);
            first.set(INT, 0, 42);
            try (var stream = one.beginMessage(1, 2 * (int) first.byteSize() + 4, 0)) {
                stream.sendPiece(first);
                eventually("the handler has begun", () -> begun.get() == 42);
                assertThat(extracted).as("it is not over").hasValue(0);
                first.set(INT, 0, 7);
                stream.sendPiece(first);
                stream.sendPiece(ints(99));
                assertThat(last).as("the last piece is not here").hasValue(0);
            }
            extracting.join();
            assertThat(extracted).hasValue(2 * (int) first.byteSize() + 4);
            assertThat(last).hasValue(99);
            assertThat(by).as("who extracts runs the handler").hasValue(extracting);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void what_is_not_extracted_holds_its_sender_back(String stack) throws Exception {
        int size = 64 << 10;
        int count = 2_000;
        try (var one = FastMessages.open(nodes.get(0), "fm", members, stack);
                var two = FastMessages.open(nodes.get(1), "fm", members, stack)) {
            var handled = new AtomicInteger();
            var into = ints(new int[size / 4]);
            two.register((stream, sender) -> {
                stream.receive(into);
                assertThat(into.get(INT, 0)).isEqualTo(handled.getAndIncrement());
            });
            var sent = new AtomicInteger();
            var sender = Thread.ofPlatform().daemon().start(() -> flood(one, size, count, sent));
            for (int got = 0; got == 0; ) {
                got = two.extract(1);
            }
            for (int round = 1; round <= 3; round++) {
                assertThat(handled).as("one was asked for").hasValue(round);
                eventually("it has no room", () -> sleeps(sender));
                assertThat(sent).as("messages that have left").hasValueLessThan(count / 2);
                assertThat(two.extract(size)).isEqualTo(size);
            }
            while (handled.get() < count) {
                two.extract(Integer.MAX_VALUE);
            }
            sender.join();
            assertThat(sent).hasValue(count);
        }
    }

    private static void flood(FastMessages from, int size, int count, AtomicInteger sent) {
        var piece = ints(new int[size / 4]);
        for (int i = 0; i < count; i++) {
            piece.set(INT, 0, i);
            try (var stream = from.beginMessage(1, size, 0)) {
                stream.sendPiece(piece);
            }
            sent.incrementAndGet();
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
