package org.ibidem.hub.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.ibidem.connect.routed.RoutedFrames;
import org.ibidem.lab.fuzz.Never;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Who gets how much of a hub's room, and in which order: without threads and without sockets, so
/// that each byte is where it has to be.
class TurnsTest {
    private static final int FRAME = RoutedFrames.MOST_DATA;
    private static final int MANY = 40;
    private static final int ALL = Integer.MAX_VALUE;

    /// What may wait of one node's.
    private static final int SHARE = 256 << 10;

    private final Relay relay =
            new Relay(
                    new Limits(
                            9,
                            99,
                            4 << 20,
                            SHARE,
                            Duration.ofHours(1),
                            0,
                            0,
                            Duration.ZERO,
                            Set.of()),
                    new Never(),
                    new NodeId(-1, -1),
                    (_, _) -> {});
    private final Loop loop = new Loop(relay);
    private long nodes;
    private final List<Member> members = new ArrayList<>();

    @AfterEach
    void close() {
        loop.close();
        relay.close();
    }

    private record Heard(int kind, int number, ByteBuffer payload) {}

    /// A node, which takes what it is told to take, answers when it is asked whether it is there,
    /// and sends no more than it was granted.
    private final class Member {
        final NodeId id = new NodeId(7, ++nodes);
        final Tap tap = new Tap();
        final Spoke spoke = relay.attach("pool", id, new Wire.Plain(tap), loop);
        private final Map<Integer, Integer> credit = new HashMap<>();
        private int known;
        private int looked;

        Member() {
            relay.join(spoke);
            members.add(this);
        }

        void says(byte[] words) throws IOException {
            put(words);
            for (var each : members) {
                each.answer();
            }
        }

        private void put(byte[] words) throws IOException {
            tap.put(ByteBuffer.wrap(words));
            while (tap.hasMore()) {
                loop.read(spoke);
            }
        }

        /// All it was asked by now, and by what comes because of that.
        private void answer() throws IOException {
            while (asked()) {
                put(RoutedFrames.bare(RoutedFrames.PONG, 0));
                loop.write(spoke);
            }
        }

        /// Whether among what has come there is a PING that was not looked at yet.
        private boolean asked() {
            var all = tap.written().order(ByteOrder.LITTLE_ENDIAN);
            while (all.limit() - looked >= RoutedFrames.HEADER) {
                int word = all.getInt(looked);
                int end = looked + RoutedFrames.HEADER + RoutedFrames.length(word);
                if (end > all.limit()) {
                    break;
                }
                looked = end;
                if (RoutedFrames.kind(word) == RoutedFrames.PING) {
                    return true;
                }
            }
            return false;
        }

        void opens(int number, Member to) throws IOException {
            says(RoutedFrames.open(number, to.id, 1 << 20));
        }

        void grants(int number, int bytes) throws IOException {
            says(RoutedFrames.grant(number, bytes));
        }

        void takes(int bytes) throws IOException {
            tap.room(bytes);
            loop.write(spoke);
            answer();
        }

        /// What has wholly come so far.
        List<Heard> heard() {
            var heard = new ArrayList<Heard>();
            var all = tap.written().order(ByteOrder.LITTLE_ENDIAN);
            while (all.remaining() >= RoutedFrames.HEADER) {
                int word = all.getInt();
                int number = all.getInt();
                int length = RoutedFrames.length(word);
                if (all.remaining() < length) {
                    break;
                }
                var payload = all.slice(all.position(), length).order(ByteOrder.LITTLE_ENDIAN);
                heard.add(new Heard(RoutedFrames.kind(word), number, payload));
                all.position(all.position() + length);
            }
            return heard;
        }

        /// The streams that its data came on, frame by frame.
        List<Integer> order() {
            return heard().stream()
                    .filter(each -> each.kind == RoutedFrames.DATA)
                    .map(Heard::number)
                    .toList();
        }

        long data() {
            return heard().stream()
                    .filter(each -> each.kind == RoutedFrames.DATA)
                    .mapToLong(each -> each.payload.remaining())
                    .sum();
        }

        int credit(int number) {
            var heard = heard();
            for (; known < heard.size(); known++) {
                var each = heard.get(known);
                switch (each.kind) {
                    case RoutedFrames.OPEN ->
                            credit.put(each.number, each.payload.getInt(NodeId.BYTES));
                    case RoutedFrames.GRANT ->
                            credit.merge(each.number, each.payload.getInt(0), Integer::sum);
                    default -> {
                        // gives none
                    }
                }
            }
            return credit.getOrDefault(number, 0);
        }

        /// Sends a frame, which begins with a number.
        void sends(int number, int bytes, int mark) throws IOException {
            assertThat(credit(number)).isGreaterThanOrEqualTo(bytes);
            credit.merge(number, -bytes, Integer::sum);
            var frame = ByteBuffer.allocate(RoutedFrames.HEADER + bytes);
            frame.order(ByteOrder.LITTLE_ENDIAN);
            frame.putInt(RoutedFrames.word(RoutedFrames.DATA, bytes)).putInt(number).putInt(mark);
            says(frame.array());
        }

        /// Sends what it may.
        ///
        /// @return how much that was
        long sendsAll(int number) throws IOException {
            long sent = 0;
            for (int now = credit(number); now >= Integer.BYTES; now = credit(number)) {
                int bytes = Math.min(now, FRAME);
                sends(number, bytes, 0);
                sent += bytes;
            }
            return sent;
        }
    }

    private Member member() throws IOException {
        var member = new Member();
        member.takes(ALL);
        return member;
    }

    private Member stuck() {
        return new Member();
    }

    /// Two streams to a reader, of one node or of two, each with so many frames that wait.
    private Member busy(Member one, Member other, int second) throws IOException {
        var reader = stuck();
        one.opens(1, reader);
        other.opens(second, reader);
        reader.grants(2, 1 << 20);
        reader.grants(4, 1 << 20);
        int frames = SHARE / 2 / FRAME;
        for (int i = 0; i < frames; i++) {
            one.sends(1, FRAME, i);
        }
        for (int i = 0; i < frames; i++) {
            other.sends(second, FRAME, i);
        }
        assertThat(reader.order()).isEmpty();
        return reader;
    }

    private static void requireTurns(Member reader) {
        int frames = SHARE / 2 / FRAME;
        assertThat(reader.order())
                .isEqualTo(
                        IntStream.range(0, frames).boxed().flatMap(_ -> Stream.of(2, 4)).toList());
        for (int number : List.of(2, 4)) {
            assertThat(
                            reader.heard().stream()
                                    .filter(each -> each.kind == RoutedFrames.DATA)
                                    .filter(each -> each.number == number)
                                    .map(each -> each.payload.getInt(0)))
                    .isEqualTo(IntStream.range(0, frames).boxed().toList());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {ALL, FRAME, 10_007})
    void two_busy_streams_of_a_node_take_turns_however_little_their_reader_takes(int room)
            throws IOException {
        var sender = member();
        var reader = busy(sender, sender, 3);
        for (int i = 0; i < MANY; i++) {
            reader.takes(room);
        }
        requireTurns(reader);
    }

    @ParameterizedTest
    @ValueSource(ints = {ALL, FRAME, 10_007})
    void streams_of_two_nodes_take_turns_at_their_common_reader(int room) throws IOException {
        var reader = busy(member(), member(), 1);
        for (int i = 0; i < MANY; i++) {
            reader.takes(room);
        }
        requireTurns(reader);
    }

    @Test
    void who_has_little_to_say_waits_for_one_frame_of_each_other() throws IOException {
        var sender = member();
        var reader = busy(sender, sender, 3);
        var quiet = member();
        quiet.opens(1, reader);
        reader.grants(6, 1 << 10);
        quiet.sends(1, Integer.BYTES, 9);
        reader.takes(ALL);
        assertThat(reader.order().subList(0, 5)).containsExactly(2, 4, 6, 2, 4);
    }

    @Test
    void a_node_that_takes_nothing_costs_its_writer_a_share_and_holds_up_nobody()
            throws IOException {
        var stuck = stuck();
        var writer = member();
        int streams = 8;
        for (int i = 0; i < streams; i++) {
            writer.opens(2 * i + 1, stuck);
        }
        long kept = 0;
        for (int i = 0; i < streams; i++) {
            stuck.grants(2 * i + 2, 1 << 20);
            kept += writer.sendsAll(2 * i + 1);
        }
        assertThat(kept).isEqualTo(SHARE);
        assertThat(stuck.data()).isZero();

        // Its other streams, both ways, and others' to the one that is stuck.
        var lively = member();
        writer.opens(2 * streams + 1, lively);
        carries(writer, 2 * streams + 1, lively, 2);
        carries(lively, 2, writer, 2 * streams + 1);
        var another = member();
        another.opens(1, stuck);
        stuck.grants(2 * streams + 2, 1 << 20);
        long others = another.sendsAll(1);
        assertThat(others).isEqualTo(SHARE);
        assertThat(IntStream.range(0, streams).mapToObj(i -> writer.credit(2 * i + 1)))
                .isEqualTo(Collections.nCopies(streams, 0));

        stuck.takes(ALL);
        assertThat(stuck.data()).isEqualTo(kept + others);
        assertThat(writer.credit(1)).as("there is room again").isPositive();
    }

    /// Several times what may wait at the hub.
    private static void carries(Member from, int number, Member to, int there) throws IOException {
        long wanted = 4L * SHARE;
        long sent = 0;
        long before = to.data();
        for (int round = 0; sent < wanted && round < 1_000; round++) {
            to.grants(there, FRAME);
            sent += from.sendsAll(number);
        }
        assertThat(sent).isGreaterThanOrEqualTo(wanted);
        assertThat(to.data() - before).isEqualTo(sent);
    }
}
