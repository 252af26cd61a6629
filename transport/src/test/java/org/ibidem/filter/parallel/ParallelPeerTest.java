package org.ibidem.filter.parallel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.filter.parallel.ParallelTest.eventually;
import static org.ibidem.filter.parallel.ParallelTest.read;
import static org.ibidem.filter.parallel.ParallelTest.write;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.ibidem.Vectors;
import org.ibidem.link.StreamPath;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A peer of `parallel` that the test plays frame by frame, as it should be and as it should not.
@Timeout(120)
class ParallelPeerTest {
    private Lines lines;
    private StreamPath other;

    @BeforeEach
    void open() throws IOException {
        lines = new Lines();
    }

    @AfterEach
    void close() {
        other.reset();
        lines.close();
    }

    /// The end that is made by hand here is the one that asked for the link.
    private StreamPath byHand() throws IOException {
        other =
                new ParallelFilter()
                        .over(lines.lower(false), new Parallel(2, Duration.ofSeconds(20))).stream();
        return lines.lower(true).stream();
    }

    private static void raw(StreamPath to, byte[]... frames) throws IOException {
        for (var frame : frames) {
            var all = ByteBuffer.allocateDirect(frame.length).put(frame).flip();
            while (all.hasRemaining()) {
                to.write(all);
            }
        }
    }

    private static byte[] rawRead(StreamPath from, int count) throws IOException {
        var all = ByteBuffer.allocateDirect(count);
        eventually(() -> {
            try {
                return from.read(all) < 0 || !all.hasRemaining();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        var got = new byte[all.flip().remaining()];
        all.get(got);
        return got;
    }

    private static byte[] frame(int kind, int length, long word) {
        return ByteBuffer.allocate(Wire.HEADER)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(kind << Wire.KIND_SHIFT | length)
                .putLong(word)
                .array();
    }

    @Test
    void frames_are_those_of_the_page() throws Exception {
        var vectors = Vectors.read("filters");
        var hand = byHand();
        write(other, "12345".getBytes(StandardCharsets.US_ASCII), new Random(1));
        var expected = vectors.get("parallel.data");
        assertThat(rawRead(hand, expected.length)).isEqualTo(expected);
        raw(hand, vectors.get("parallel.ack"), expected);
        assertThat(read(other, 5)).isEqualTo("12345".getBytes(StandardCharsets.US_ASCII));
        var ack = vectors.get("parallel.ack");
        var unread = ack.clone();
        unread[Wire.HEADER] = 0; // it was said before the five bytes were read
        var hex = HexFormat.of();
        assertThat(hex.formatHex(rawRead(hand, ack.length)))
                .isIn(hex.formatHex(ack), hex.formatHex(unread));
        other.close();
        var close = vectors.get("parallel.close");
        assertThat(rawRead(hand, close.length)).isEqualTo(close);
    }

    @Test
    void bytes_come_in_order_whatever_order_they_take() throws Exception {
        var vectors = Vectors.read("filters");
        var hand = byHand();
        var added = lines.lower(true).again(_ -> {}).stream();
        raw(added, vectors.get("parallel.join"), frame(Wire.DATA, 2, 3), new byte[] {4, 5});
        raw(added, frame(Wire.DATA, 1, 6), new byte[] {7});
        raw(hand, frame(Wire.DATA, 3, 0), new byte[] {1, 2, 3});
        assertThat(read(other, 5)).containsExactly(1, 2, 3, 4, 5);
        raw(hand, frame(Wire.DATA, 4, 3), new byte[] {9, 9, 6, 9});
        assertThat(read(other, 2)).as("what is here already is not taken twice").hasSize(2);
        assertThat(lines.made).hasSize(2);
    }

    private void isRefused(long name) throws Exception {
        var hand = byHand();
        var added = lines.lower(true).again(_ -> {}).stream();
        raw(added, frame(Wire.JOIN, 0, name));
        eventually(() -> {
            try {
                return added.read(ByteBuffer.allocateDirect(1)) < 0;
            } catch (IOException _) {
                return true;
            }
        });
        raw(hand, frame(Wire.DATA, 1, 0), new byte[] {5});
        assertThat(read(other, 1)).as("the others go on").containsExactly(5);
    }

    @Test
    void one_that_claims_a_seat_that_there_is_not_is_refused() throws Exception {
        isRefused(Wire.name(2, 0));
    }

    @Test
    void one_that_claims_the_seat_of_another_is_refused() throws Exception {
        isRefused(Wire.name(0, 0));
    }

    @Test
    void a_later_one_takes_the_seat_of_an_earlier_one() throws Exception {
        byHand();
        var added = lines.lower(true).again(_ -> {}).stream();
        raw(added, frame(Wire.JOIN, 0, Wire.name(0, 1)));
        raw(added, frame(Wire.DATA, 1, 0), new byte[] {5});
        assertThat(read(other, 1)).containsExactly(5);
        eventually(() -> !lines.made.get(0).other().isOpen());
    }

    private void isViolated(String why, byte[]... frames) throws Exception {
        var hand = byHand();
        raw(hand, frames);
        var room = ByteBuffer.allocateDirect(10);
        var said = new CompletableFuture<String>();
        eventually(() -> {
            try {
                return other.read(room) < 0;
            } catch (IOException e) {
                return said.complete(String.valueOf(e.getMessage()));
            }
        });
        assertThat(said.getNow("it only ended"))
                .contains(why)
                .endsWith("; the connections were closed");
    }

    @Test
    void what_is_not_allowed_ends_all() throws Exception {
        isViolated("frame of kind 9", frame(9, 0, 0));
    }

    @Test
    void bytes_beyond_the_window_are_refused_before_they_are_kept() throws Exception {
        isViolated("it may send up to 16777216", frame(Wire.DATA, 1, Wire.WINDOW));
    }

    @Test
    void bytes_whose_end_is_no_number_are_refused() throws Exception {
        isViolated("it may send up to 16777216", frame(Wire.DATA, 7, Long.MAX_VALUE));
    }

    @Test
    void bytes_at_no_place_are_refused() throws Exception {
        isViolated("a piece of 1 bytes at -1", frame(Wire.DATA, 1, -1));
    }

    @Test
    void a_piece_that_is_too_long_is_refused() throws Exception {
        isViolated("a piece of 65537 bytes", frame(Wire.DATA, Wire.PIECE + 1, 0));
    }

    @Test
    void an_acknowledgement_of_what_was_not_sent_is_refused() throws Exception {
        isViolated("has bytes up to 1", frame(Wire.ACK, Wire.ACK_BYTES, 1), new byte[16]);
    }

    @Test
    void an_end_before_what_has_come_is_refused() throws Exception {
        isViolated("end at 0", frame(Wire.DATA, 1, 0), new byte[] {1}, frame(Wire.CLOSE, 0, 0));
    }

    /// As many as 32 may say later which seat is theirs; they are no secret, and cost memory.
    @Test
    void of_connections_that_do_not_say_whose_they_are_one_too_many_is_refused() throws Exception {
        var hand = byHand();
        var again = lines.lower(true).again(_ -> {});
        var guests = new ArrayList<StreamPath>();
        for (int i = 0; i < 32; i++) {
            guests.add(again.stream());
        }
        assertThat(lines.made).allMatch(line -> line.other().isOpen());
        again.stream();
        assertThat(lines.made.getLast().other().isOpen()).as("one too many").isFalse();
        raw(guests.getFirst(), frame(Wire.JOIN, 0, Wire.name(1, 0)));
        raw(guests.getFirst(), frame(Wire.DATA, 1, 0), new byte[] {5});
        assertThat(read(other, 1)).containsExactly(5);
        again.stream();
        assertThat(lines.made.getLast().other().isOpen()).as("its place is free").isTrue();
        assertThat(hand.isOpen()).isTrue();
    }

    @Test
    void a_connection_that_comes_when_all_is_over_is_refused() throws Exception {
        byHand();
        var again = lines.lower(true).again(_ -> {});
        other.reset();
        again.stream();
        assertThat(lines.made.getLast().other().isOpen()).isFalse();
    }

    /// The other end does not notice by itself: it still writes to it.
    @Test
    void the_other_end_is_told_by_another_connection_that_one_was_lost() throws Exception {
        var hand = byHand();
        var added = lines.lower(true).again(_ -> {}).stream();
        raw(added, frame(Wire.JOIN, 0, Wire.name(1, 0)), frame(Wire.DATA, 1, 0), new byte[] {5});
        assertThat(read(other, 1)).containsExactly(5);
        lines.made.getLast().other().below.reset();
        var lost = frame(Wire.LOST, 0, Wire.name(1, 0));
        var seen = new ArrayList<byte[]>();
        while (seen.stream().noneMatch(each -> Arrays.equals(each, lost))) {
            var one = rawRead(hand, Wire.HEADER);
            int length = ByteBuffer.wrap(one).order(ByteOrder.LITTLE_ENDIAN).getInt();
            assertThat(one).hasSize(Wire.HEADER);
            rawRead(hand, length & Wire.LENGTH_MASK);
            seen.add(one);
        }
    }
}
