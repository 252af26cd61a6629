package org.ibidem.circuit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.IntStream;
import org.ibidem.Background;
import org.ibidem.Stacks;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;

@Timeout(60)
class MessagesTest {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

    private static final List<SendMode> MODES =
            List.of(SendMode.SAFER, SendMode.LATER, SendMode.CHEAPER);

    private final Group group = new Group(3);
    private List<Messages> ends = List.of();

    private void open(String stack) {
        ends =
                group.stations.stream()
                        .map(station -> Messages.open(station, "pieces", group.ids(), stack))
                        .toList();
    }

    @AfterEach
    void close() {
        ends.forEach(Messages::close);
        group.close();
    }

    private static MemorySegment ints(int... values) {
        var piece = Arena.ofAuto().allocate(4L * values.length);
        for (int i = 0; i < values.length; i++) {
            piece.set(INT, 4L * i, values[i]);
        }
        return piece;
    }

    private static MemorySegment empty(int ints) {
        return Arena.ofAuto().allocate(4L * ints);
    }

    private static int first(MemorySegment piece) {
        return piece.get(INT, 0);
    }

    /// A piece that is changed after it was packed.
    @Test
    void a_mode_says_when_a_piece_is_read() {
        open("auto");
        var safe = ints(1);
        var late = ints(2);
        var behind = ints(3);
        try (var message = ends.get(0).begin(1)) {
            message.pack(safe, SendMode.SAFER);
            safe.set(INT, 0, 10);
            message.pack(late, SendMode.LATER);
            late.set(INT, 0, 20);
            message.pack(behind, SendMode.SAFER);
            behind.set(INT, 0, 30);
        }
        var got = List.of(empty(1), empty(1), empty(1));
        try (var message = ends.get(1).receive()) {
            got.forEach(piece -> message.unpack(piece, ReceiveMode.CHEAPER));
        }
        assertThat(got.stream().map(MessagesTest::first)).containsExactly(1, 20, 3);
    }

    @Test
    void a_piece_received_express_says_how_the_next_is_received() {
        open("auto");
        try (var message = ends.get(0).begin(1)) {
            message.pack(ints(5), SendMode.CHEAPER);
            message.pack(ints(1, 2, 3, 4, 5), SendMode.CHEAPER);
        }
        try (var message = ends.get(1).receive()) {
            var count = empty(1);
            message.unpack(count, ReceiveMode.EXPRESS);
            var values = empty(first(count));
            message.unpack(values, ReceiveMode.EXPRESS);
            assertThat(values.get(INT, 16)).isEqualTo(5);
            assertThat(message.from()).isZero();
        }
    }

    /// All members send to one, each its own pieces, larger than what a ring holds.
    @ParameterizedTest
    @Tag("slow")
    @Stacks({"shm", "tcp", "compress > parallel > tcp", "reliable > udp"})
    void pieces_of_any_size_arrive_as_they_were(String stack) {
        open(stack);
        int rounds = 60;
        var senders =
                IntStream.of(1, 2)
                        .mapToObj(from ->
                                Background.run(() -> {
                                    for (int round = 0; round < rounds; round++) {
                                        send(from, round);
                                    }
                                }))
                        .toList();
        var next = new int[3];
        for (int i = 0; i < 2 * rounds; i++) {
            try (var message = ends.get(0).receive()) {
                check(message, next[message.from()]++);
            }
        }
        senders.forEach(sender -> sender.join());
    }

    /// Compressors and queues keep some of it when the sender's last call is over.
    @Tag("slow")
    @ParameterizedTest
    @Stacks({"shm", "tcp", "compress > tcp", "compress > parallel > tcp", "reliable > udp"})
    void all_arrives_though_its_sender_calls_nothing_more(String stack) {
        open(stack);
        var piece = ints(random(1, 1).ints(1 << 18).toArray());
        for (int round = 0; round < 8; round++) {
            int count = 3 + round;
            var sent =
                    Background.run(() -> {
                        for (int i = 0; i < count; i++) {
                            try (var message = ends.get(1).begin(0)) {
                                message.pack(piece, SendMode.CHEAPER);
                            }
                        }
                    });
            for (int i = 0; i < count; i++) {
                try (var message = ends.get(0).receive()) {
                    var got = empty(1 << 18);
                    message.unpack(got, ReceiveMode.EXPRESS);
                    assertThat(got.mismatch(piece)).isEqualTo(-1);
                }
            }
            sent.join();
        }
    }

    private static RandomGenerator random(int from, int round) {
        return RandomGeneratorFactory.of("L64X128MixRandom").create(from * 1000L + round);
    }

    private void send(int from, int round) {
        var random = random(from, round);
        try (var message = ends.get(from).begin(0)) {
            for (int i = random.nextInt(5); i > 0; i--) {
                var piece = ints(random.ints(size(random)).toArray());
                message.pack(piece, MODES.get(random.nextInt(3)));
            }
        }
    }

    private static int size(RandomGenerator random) {
        return random.nextInt(1 << random.nextInt(17));
    }

    private static void check(Unpacking message, int round) {
        var random = random(message.from(), round);
        var pieces = new ArrayList<MemorySegment>();
        var wanted = new ArrayList<MemorySegment>();
        for (int i = random.nextInt(5); i > 0; i--) {
            var piece = ints(random.ints(size(random)).toArray());
            random.nextInt(3);
            var got = empty((int) piece.byteSize() / 4);
            message.unpack(got, i % 2 == 0 ? ReceiveMode.CHEAPER : ReceiveMode.EXPRESS);
            pieces.add(got);
            wanted.add(piece);
        }
        message.end();
        for (int i = 0; i < pieces.size(); i++) {
            assertThat(pieces.get(i).mismatch(wanted.get(i))).as("round %d", round).isEqualTo(-1);
        }
    }

    /// What waits there is not in the way of others.
    @Test
    void a_message_that_is_not_read_on_waits_and_others_are_read() {
        open("auto");
        var flood =
                Background.run(() -> {
                    try (var message = ends.get(1).begin(0)) {
                        message.pack(empty(1 << 20), SendMode.CHEAPER);
                    }
                });
        var slow = ends.get(0).receive();
        for (int i = 0; i < 100; i++) {
            try (var message = ends.get(2).begin(0)) {
                message.pack(ints(i), SendMode.CHEAPER);
            }
            try (var message = ends.get(0).receive()) {
                var piece = empty(1);
                message.unpack(piece, ReceiveMode.EXPRESS);
                assertThat(first(piece)).isEqualTo(i);
            }
        }
        assertThat(flood).isNotDone();
        slow.end();
        flood.join();
    }

    @Test
    void more_than_was_packed_cannot_be_unpacked_and_less_may() {
        open("auto");
        for (int i = 0; i < 2; i++) {
            try (var message = ends.get(0).begin(1)) {
                message.pack(ints(1, 2), SendMode.CHEAPER);
            }
        }
        var message = ends.get(1).receive();
        assertThatThrownBy(() -> message.unpack(empty(3), ReceiveMode.EXPRESS))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the message of member 0 ends 4 bytes before what is unpacked");
        try (var next = next(message)) {
            var piece = empty(1);
            next.unpack(piece, ReceiveMode.EXPRESS);
            assertThat(first(piece)).isEqualTo(1);
        }
    }

    private Unpacking next(Unpacking message) {
        assertThatThrownBy(message::end).isInstanceOf(IllegalStateException.class);
        return ends.get(1).receive();
    }

    @Test
    void who_waits_for_messages_of_members_that_have_gone_is_told() {
        open("auto");
        try (var message = ends.get(1).begin(0)) {
            message.pack(ints(1), SendMode.CHEAPER);
        }
        try (var message = ends.get(2).begin(0)) {
            message.pack(ints(1), SendMode.CHEAPER);
        }
        ends.get(1).close();
        ends.get(2).close();
        for (int i = 0; i < 2; i++) {
            try (var message = ends.get(0).receive()) {
                message.unpack(empty(1), ReceiveMode.EXPRESS);
            }
        }
        assertThatThrownBy(() -> ends.get(0).receive())
                .isInstanceOf(CircuitBroken.class)
                .hasMessage("all other members of circuit 'pieces' are gone");
    }
}
