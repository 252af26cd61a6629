package org.ibidem.filter.reliable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.ibidem.Vectors;
import org.ibidem.buffer.Frame;
import org.ibidem.link.FrameLink;
import org.ibidem.link.LinkBroken;
import org.ibidem.link.NoLower;
import org.ibidem.task.Progress;
import org.ibidem.task.Tasks;
import org.ibidem.wait.Armed;
import org.ibidem.wait.Waitable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Everything in one thread, on a clock that the test moves.
class ReliableTest {
    private static final int WINDOW = 8;
    private static final long MILLI = 1_000_000;

    private final Clock clock = new Clock();
    private final Frame room = new Frame();
    private final Frame lent = new Frame();

    /// Drives what is to be driven when the test says that time has passed.
    private static final class Clock implements Tasks {
        private final List<Progress> parts = new ArrayList<>();
        private long now = Long.MAX_VALUE - 50 * MILLI; // it overflows

        @Override
        public Task start(String name, Runnable body) {
            throw new AssertionError("needs no thread");
        }

        @Override
        public Task after(Duration delay, String name, Runnable body) {
            throw new AssertionError("is driven");
        }

        @Override
        public Driven drive(String name, Progress part) {
            parts.add(part);
            return new Driven() {
                @Override
                public void soon() {}

                @Override
                public void stop() {
                    parts.remove(part);
                }
            };
        }

        @Override
        public long nanoTime() {
            return now;
        }

        void pass(long nanos) {
            now += nanos;
            List.copyOf(parts).forEach(part -> part.progress(now));
        }
    }

    private FrameLink over(FrameLink below) {
        var lower = new NoLower(clock);
        return new ReliableFilter()
                .over(below, 0, new Reliable(WINDOW, Duration.ofSeconds(30)), lower);
    }

    private boolean send(FrameLink link, int number, int flags) {
        if (!link.sink().claim(room, 64)) {
            return false;
        }
        room.memory.set(ValueLayout.JAVA_INT_UNALIGNED, room.position, number);
        room.position += 4 + number % 60;
        link.sink().commit(room, flags);
        return true;
    }

    private int receive(FrameLink link, int expected) {
        int next = expected;
        while (link.source().poll(lent)) {
            assertThat(lent.memory.get(ValueLayout.JAVA_INT_UNALIGNED, lent.position))
                    .isEqualTo(next);
            assertThat(lent.room()).isEqualTo(4 + next % 60);
            assertThat(lent.flags).isEqualTo(next % 3 == 0 ? Frame.MORE : 0);
            next++;
        }
        return next;
    }

    private static int flags(int number) {
        return number % 3 == 0 ? Frame.MORE : 0;
    }

    /// Readers that come now and then, both directions, 10 to 60 % of all frames hit.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void what_is_lost_doubled_and_out_of_order_arrives_once_and_in_order(long seed) {
        var random = new Random(seed);
        var weather = new Weather(random, 0.1 + 0.04 * seed);
        var one = over(weather.ends[0]);
        var other = over(weather.ends[1]);
        int all = 400;
        int[] sent = new int[2];
        int[] got = new int[2];
        for (int step = 0; got[0] < all || got[1] < all; step++) {
            assertThat(step).as("seed %d: %d and %d came", seed, got[0], got[1]).isLessThan(60_000);
            if (sent[0] < all && send(one, sent[0], flags(sent[0]))) {
                sent[0]++;
            }
            if (sent[1] < all && random.nextBoolean() && send(other, sent[1], flags(sent[1]))) {
                sent[1]++;
            }
            if (random.nextInt(4) == 0) {
                got[0] = receive(other, got[0]);
            }
            if (random.nextInt(20) == 0) {
                got[1] = receive(one, got[1]);
            }
            clock.pass(random.nextInt(3) * MILLI);
        }
        assertThat(sent).containsExactly(all, all);
    }

    @Test
    void who_sends_to_nobody_who_reads_has_the_window_and_no_more() {
        var weather = new Weather(new Random(1), 0);
        var one = over(weather.ends[0]);
        var other = over(weather.ends[1]);
        int sent = 0;
        for (int i = 0; i < 100; i++) {
            sent += send(one, sent, 0) ? 1 : 0;
            clock.pass(MILLI);
        }
        assertThat(sent).isEqualTo(WINDOW);
        assertThat(((Waitable) one.sink()).arm())
                .as("may sleep, were there a bell below")
                .isEqualTo(Armed.READY);
        assertThat(other.source().poll(lent)).isTrue();
    }

    /// Acknowledgements come for who reads no frames, too, and go beside frames that find no room.
    @Test
    void a_sender_goes_on_while_its_other_direction_is_full_and_unread() {
        var weather = new Weather(new Random(1), 0);
        var one = over(weather.ends[0]);
        var other = over(weather.ends[1]);
        for (int i = 0; i < WINDOW; i++) {
            assertThat(send(other, i, flags(i))).isTrue();
        }
        clock.pass(3 * MILLI);
        assertThat(send(other, WINDOW, 0)).as("nobody reads that").isFalse();
        int sent = 0;
        int got = 0;
        for (int step = 0; got < 10 * WINDOW; step++) {
            assertThat(step).as("%d sent, %d came", sent, got).isLessThan(100 * WINDOW);
            if (sent < 10 * WINDOW && send(one, sent, flags(sent))) {
                sent++;
            }
            if (step % 2 == 0) {
                got = receive(other, got);
            }
            clock.pass(MILLI);
        }
        assertThat(send(other, WINDOW, 0)).as("still").isFalse();
        assertThat(receive(one, 0)).as("what waited there").isEqualTo(WINDOW);
    }

    /// What told of the room was lost, and nothing else is under way.
    @Test
    void a_writer_without_room_asks_until_it_is_told_of_some() {
        var weather = new Weather(new Random(1), 0);
        var one = over(weather.ends[0]);
        var other = over(weather.ends[1]);
        for (int i = 0; i < WINDOW; i++) {
            assertThat(send(one, i, flags(i))).isTrue();
        }
        clock.pass(3 * MILLI);
        assertThat(send(one, WINDOW, 0)).isFalse();
        weather.ends[1].cut = true;
        assertThat(receive(other, 0)).isEqualTo(WINDOW);
        clock.pass(3 * MILLI);
        weather.ends[1].cut = false;
        assertThat(send(one, WINDOW, 0)).as("nobody has said").isFalse();
        for (int i = 0; i < 10 && !send(one, WINDOW, flags(WINDOW)); i++) {
            clock.pass(300 * MILLI);
        }
        clock.pass(MILLI);
        assertThat(receive(other, WINDOW)).isEqualTo(WINDOW + 1);
    }

    @Test
    void an_end_is_pushed_when_it_was_acknowledged() {
        var weather = new Weather(new Random(1), 0);
        var one = over(weather.ends[0]);
        over(weather.ends[1]);
        weather.ends[1].cut = true;
        assertThat(one.sink().claim(room, 0)).isTrue();
        assertThat(one.sink().commit(room, Frame.END)).isFalse();
        clock.pass(MILLI);
        assertThat(one.sink().push()).isFalse();
        weather.ends[1].cut = false;
        clock.pass(300 * MILLI);
        clock.pass(MILLI);
        assertThat(one.sink().push()).isTrue();
    }

    @Test
    void who_closes_leaves_nothing_behind_that_was_sent() {
        var weather = new Weather(new Random(3), 0);
        var one = over(weather.ends[0]);
        weather.ends[0].cut = true;
        assertThat(send(one, 0, Frame.MORE)).isTrue();
        one.close();
        assertThat(weather.ends[0].closed).isFalse();
        weather.ends[0].cut = false;
        var other = over(weather.ends[1]);
        clock.pass(300 * MILLI);
        assertThat(receive(other, 0)).isEqualTo(1);
        clock.pass(3 * MILLI);
        clock.pass(MILLI);
        assertThat(weather.ends[0].closed).isTrue();
        assertThatThrownBy(() -> send(one, 1, 0))
                .isInstanceOf(LinkBroken.class)
                .hasMessageContaining("closed at this end");
    }

    @Test
    void a_peer_that_never_answers_is_given_up_with_the_reason() {
        var weather = new Weather(new Random(1), 0);
        var one = over(weather.ends[0]);
        weather.ends[0].cut = true;
        assertThat(send(one, 0, 0)).isTrue();
        for (int i = 0; i < 40; i++) {
            clock.pass(1_000 * MILLI);
        }
        assertThat(weather.ends[0].sent).as("repeated ever more seldom").isBetween(10, 40);
        assertThatThrownBy(() -> one.source().poll(lent))
                .isInstanceOf(LinkBroken.class)
                .hasMessageContaining("nothing came from the peer for 30 s");
    }

    @Test
    void a_link_that_nobody_uses_says_nothing() {
        var weather = new Weather(new Random(1), 0);
        over(weather.ends[0]);
        over(weather.ends[1]);
        for (int i = 0; i < 100; i++) {
            clock.pass(1_000 * MILLI);
        }
        assertThat(weather.ends[0].sent + weather.ends[1].sent).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "000000", // shorter than the header
                "00000000 01000000 08000000 01000000", // never sent
                "00000000 00000000 09000000 01000000", // more than a window
                "00000000 00000000 08000000 07000000" // of no kind
            })
    void what_no_peer_may_send_closes_the_link(String bytes) {
        var weather = new Weather(new Random(1), 0);
        var one = over(weather.ends[0]);
        weather.ends[0].arrive(HexFormat.of().parseHex(bytes.replace(" ", "")));
        assertThatThrownBy(() -> one.source().poll(lent))
                .isInstanceOf(LinkBroken.class)
                .hasMessageContaining("the peer sent ");
        assertThat(weather.ends[0].closed).isTrue();
    }

    @Test
    void frames_are_those_of_the_page() throws IOException {
        var vectors = Vectors.read("reliable");
        var weather = new Weather(new Random(1), 0);
        var one = over(weather.ends[0]);
        assertThat(one.sink().claim(room, 64)).isTrue();
        room.memory.set(ValueLayout.JAVA_BYTE, room.position++, (byte) 9);
        one.sink().commit(room, Frame.MORE);
        weather.ends[0].arrive(vectors.get("frame.1"));
        weather.ends[0].arrive(vectors.get("frame.0"));
        assertThat(one.source().poll(lent)).isTrue();
        assertThat(lent.room()).isEqualTo(2);
        clock.pass(MILLI);
        weather.ends[0].arrive(vectors.get("question"));
        assertThat(one.source().poll(lent)).isTrue();
        assertThat(one.source().poll(lent)).isFalse();
        var seen = new ArrayList<String>();
        while (weather.ends[1].poll(lent)) {
            seen.add(
                    HexFormat.of()
                            .formatHex(
                                    lent.memory
                                            .asSlice(0, lent.limit)
                                            .toArray(ValueLayout.JAVA_BYTE)));
        }
        for (var name : List.of("sent.0", "word.ahead", "word.answer")) {
            assertThat(seen).contains(HexFormat.of().formatHex(vectors.get(name)));
        }
    }

    /// Nothing has been acknowledged yet, and so no time limit but the first of 200 ms is known.
    @Test
    void a_frame_that_three_have_overtaken_is_sent_again_at_once_and_not_with_each_answer() {
        var weather = new Weather(new Random(1), 0);
        var one = over(weather.ends[0]);
        var other = over(weather.ends[1]);
        weather.ends[0].cut = true;
        assertThat(send(one, 0, flags(0))).isTrue();
        arrives(weather, one, 1);
        arrives(weather, one, 2);
        clock.pass(MILLI);
        int before = weather.ends[0].sent;
        clock.pass(MILLI / 20);
        assertThat(weather.ends[0].sent - before).as("it may be late").isZero();
        arrives(weather, one, 3);
        clock.pass(MILLI / 20);
        clock.pass(MILLI / 20);
        assertThat(weather.ends[0].sent - before).as("it is sent again").isEqualTo(1 + 1);
        arrives(weather, one, 4);
        clock.pass(MILLI / 20); // the other end says once more that it is missing
        arrives(weather, one, 5);
        clock.pass(MILLI / 20);
        clock.pass(MILLI / 20);
        assertThat(weather.ends[0].sent - before).as("it may be on its way").isEqualTo(3 + 1);
        arrives(weather, one, 6);
        weather.ends[0].cut = false;
        clock.pass(MILLI);
        clock.pass(MILLI);
        assertThat(receive(other, 0)).isEqualTo(7);
    }

    private void arrives(Weather weather, FrameLink from, int number) {
        weather.ends[0].cut = false;
        assertThat(send(from, number, flags(number))).isTrue();
        weather.ends[0].cut = true;
    }

    @Test
    void an_answer_that_misses_what_was_never_sent_is_passed_over() {
        var weather = new Weather(new Random(1), 0);
        var one = over(weather.ends[0]);
        var other = over(weather.ends[1]);
        weather.ends[0].arrive(HexFormat.of().parseHex("00000000000000000800000001000100"));
        clock.pass(MILLI);
        clock.pass(MILLI);
        assertThat(weather.ends[0].sent).isZero();
        assertThat(send(one, 0, flags(0))).isTrue();
        assertThat(receive(other, 0)).isEqualTo(1);
    }

    @Test
    void a_writer_without_room_asks_ever_more_seldom() {
        var weather = new Weather(new Random(1), 0);
        var one = over(weather.ends[0]);
        over(weather.ends[1]);
        for (int i = 0; i < WINDOW; i++) {
            assertThat(send(one, i, flags(i))).isTrue();
        }
        clock.pass(3 * MILLI);
        clock.pass(3 * MILLI);
        assertThat(send(one, WINDOW, 0)).isFalse();
        weather.ends[1].cut = true;
        int before = weather.ends[0].sent;
        for (int i = 0; i < 2_000; i++) {
            clock.pass(10 * MILLI);
        }
        assertThat(weather.ends[0].sent - before).as("in 20 s").isBetween(10, 25);
    }

    @Test
    void a_link_that_was_idle_for_long_waits_its_whole_time_for_an_answer() {
        var weather = new Weather(new Random(1), 0);
        var one = over(weather.ends[0]);
        var other = over(weather.ends[1]);
        clock.pass(60_000 * MILLI);
        weather.ends[0].cut = true;
        assertThat(send(one, 0, flags(0))).isTrue();
        clock.pass(25_000 * MILLI);
        weather.ends[0].cut = false;
        clock.pass(3_000 * MILLI);
        assertThat(receive(other, 0)).isEqualTo(1);
        clock.pass(3 * MILLI);
        clock.pass(3 * MILLI);
        assertThat(send(one, 1, flags(1))).isTrue();
        assertThat(receive(other, 1)).isEqualTo(2);
    }
}
