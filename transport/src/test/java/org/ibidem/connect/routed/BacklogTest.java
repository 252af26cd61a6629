package org.ibidem.connect.routed;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.Test;

class BacklogTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int FRAME = RoutedFrames.MOST_DATA;

    private long now = 17;
    private final Deque<Long> answers = new ArrayDeque<>();
    private Backlog backlog = new Backlog(() -> now);

    /// A line that carries so much a second, one byte behind the other, and answers so long after a
    /// byte was sent.
    private final class Line {
        final long rate;
        final long roundTrip;
        private long idle;
        private long carried;
        private long longest;

        /// Answers are held up and come together, so often.
        private long burst = 1;

        Line(long rate, long roundTrip) {
            this.rate = rate;
            this.roundTrip = roundTrip;
            this.idle = now;
        }

        /// Sends as much as it may, for so long.
        void busy(long nanos) {
            long end = now + nanos;
            while (now < end) {
                if (backlog.room() > 0) {
                    put();
                } else {
                    assertThat(answers).as("full, and nobody was asked").isNotEmpty();
                    now = Math.max(now, answers.removeFirst());
                    backlog.answered();
                }
            }
        }

        private void put() {
            idle = Math.max(idle, now) + FRAME * SECOND / rate;
            longest = Math.max(longest, idle - now);
            carried += FRAME;
            if (backlog.put(FRAME)) {
                backlog.asked();
                answers.add((idle + roundTrip + burst - 1) / burst * burst);
            }
            while (!answers.isEmpty() && answers.getFirst() <= now) {
                answers.removeFirst();
                backlog.answered();
            }
        }
    }

    @Test
    void what_is_put_on_a_slow_line_never_waits_long_there() {
        var line = new Line(32_000, SECOND / 10);
        line.busy(100 * SECOND);
        assertThat(line.longest).isLessThan(2 * SECOND);
        assertThat(line.carried).as("it is in use").isGreaterThan(99 * 32_000);
    }

    @Test
    void answers_that_come_together_do_not_mean_that_the_line_is_fast() {
        var line = new Line(25_000, SECOND / 25);
        line.burst = 3 * SECOND / 2;
        line.busy(100 * SECOND);
        assertThat(line.longest).isLessThan(3 * SECOND);
    }

    @Test
    void a_fast_line_is_soon_used_to_the_full_however_long_it_is() {
        for (long roundTrip : new long[] {SECOND / 10_000, SECOND / 3, SECOND}) {
            answers.clear();
            backlog = new Backlog(() -> now);
            var line = new Line(20_000_000, roundTrip);
            line.busy(60 * SECOND); // as TCP itself begins: so much more in each round trip
            line.carried = 0;
            line.busy(10 * SECOND);
            assertThat(line.carried).as("%s ns", roundTrip).isGreaterThan(9 * line.rate);
        }
    }

    @Test
    void a_line_that_becomes_slow_is_noticed() {
        new Line(10_000_000, SECOND / 10).busy(10 * SECOND);
        assertThat(backlog.limit()).isGreaterThan(9_000_000);
        var slow = new Line(100_000, SECOND / 10);
        slow.busy(300 * SECOND);
        slow.longest = 0;
        slow.busy(100 * SECOND);
        assertThat(slow.longest).isLessThan(2 * SECOND);
    }

    /// All that was sent has come.
    private void rest() {
        for (long answer : answers) {
            now = Math.max(now, answer);
            backlog.answered();
        }
        answers.clear();
    }

    @Test
    void who_had_nothing_to_send_for_a_while_begins_anew() {
        new Line(10_000_000, SECOND / 10).busy(10 * SECOND);
        rest();
        assertThat(backlog.limit()).isGreaterThan(9_000_000);
        now += 2 * SECOND;
        var slow = new Line(50_000, SECOND / 10);
        slow.busy(20 * SECOND);
        assertThat(slow.longest).isLessThan(2 * SECOND);
    }

    @Test
    void data_that_comes_in_drops_is_asked_about_too() {
        int put = 0;
        for (int asked = 0; asked < 3; put++) {
            assertThat(put).isLessThan(10);
            now += SECOND / 3; // no answer for long, but no pause either
            assertThat(backlog.room()).isPositive();
            if (backlog.put(1456)) {
                backlog.asked();
                asked++;
            }
        }
        assertThat(backlog.room()).isLessThan((int) Backlog.LEAST - 8 * 1456);
    }

    @Test
    void a_heartbeat_is_no_reason_to_go_on_as_before() {
        new Line(10_000_000, SECOND / 10).busy(10 * SECOND);
        rest();
        for (int beat = 0; beat < 2; beat++) { // the first may be behind the last bytes
            backlog.asked();
            backlog.answered();
        }
        assertThat(backlog.limit()).isEqualTo(Backlog.LEAST);
    }

    @Test
    void an_answer_that_nobody_asked_for_says_nothing() {
        backlog.answered();
        backlog.put(FRAME);
        backlog.asked();
        backlog.put(FRAME);
        assertThat(backlog.room()).isZero();
        backlog.answered();
        assertThat(backlog.room()).isPositive();
    }

    @Test
    void who_sends_little_is_asked_seldom() {
        int asked = 0;
        for (int message = 0; message < 100_000; message++) {
            now += SECOND / 1000;
            if (backlog.put(100)) {
                backlog.asked();
                backlog.answered();
                asked++;
            }
        }
        assertThat(asked).isLessThan(100 * 9);
    }
}
