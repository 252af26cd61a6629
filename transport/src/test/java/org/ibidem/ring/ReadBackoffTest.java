package org.ibidem.ring;

import static org.assertj.core.api.Assertions.assertThat;

import org.ibidem.buffer.Frame;
import org.junit.jupiter.api.Test;

class ReadBackoffTest {
    private final ReadBackoff backoff = new ReadBackoff();

    /// Bytes that came so far.
    private long position;

    /// The longest delay so far, in steps.
    private int longest;

    /// Makes so many looks, and answers how many of them were delayed.
    private int looks(int count, boolean found) {
        int delayed = 0;
        for (int i = 0; i < count; i++) {
            int steps = backoff.due(new Frame());
            if (steps > 0) {
                delayed++;
                longest = Math.max(longest, steps);
            }
            if (found) {
                position += 64;
                backoff.found();
            } else {
                backoff.missed(position);
            }
        }
        return delayed;
    }

    /// Catches up so often, each time after so many messages, and answers how often the reader fell
    /// back far.
    private int fallsBack(int times, int messages) {
        int fell = 0;
        for (int i = 0; i < times; i++) {
            longest = 0;
            looks(messages, true);
            looks(2, false);
            looks(8, true);
            fell += longest > 1000 ? 1 : 0;
        }
        return fell;
    }

    @Test
    void what_is_there_at_once_is_never_waited_for() {
        assertThat(looks(1000, true)).isZero();
    }

    @Test
    void one_look_in_vain_among_others_changes_nothing() {
        for (int i = 0; i < 100; i++) {
            assertThat(looks(1, false)).isZero();
            assertThat(looks(1 + i % 3, true)).isZero();
        }
    }

    @Test
    void after_two_looks_in_vain_the_next_ones_are_delayed() {
        looks(2, false);
        assertThat(looks(7, true)).isEqualTo(7);
    }

    @Test
    void a_look_without_delay_that_finds_something_ends_it() {
        looks(2, false);
        assertThat(looks(8, true)).isEqualTo(7);
        assertThat(looks(1000, true)).isZero();
    }

    @Test
    void while_they_are_in_vain_looks_without_delay_become_rare() {
        looks(2, false);
        assertThat(looks(10_000, false)).isBetween(10_000 - 45, 10_000 - 35);
    }

    @Test
    void what_begins_to_come_close_behind_each_other_is_noticed() {
        looks(10_000, false);
        assertThat(looks(256, true)).isLessThan(256);
        assertThat(looks(1000, true)).isZero();
    }

    @Test
    void a_look_is_delayed_all_the_same() {
        looks(2, false);
        backoff.take(new Frame()); // what it does can only be measured
        assertThat(looks(7, true)).isEqualTo(6);
    }

    @Test
    void who_catches_up_with_a_stream_falls_back_each_time_once_tried() {
        assertThat(fallsBack(7, 300)).isZero();
        assertThat(fallsBack(1000, 300)).isEqualTo(1000);
    }

    @Test
    void when_it_runs_dry_soon_after_it_is_tried_more_and_more_seldom() {
        assertThat(fallsBack(10_000, 100)).isBetween(35, 45);
    }

    @Test
    void a_stream_that_ends_and_begins_anew_is_found_again() {
        fallsBack(100, 300);
        assertThat(fallsBack(1000, 20)).isLessThan(15);
        assertThat(fallsBack(1000, 300)).isGreaterThan(700);
    }

    @Test
    void answers_are_not_waited_for_so_long() {
        looks(10_000, false);
        assertThat(longest).isLessThan(100);
        for (int i = 0; i < 10_000; i++) {
            looks(1, true);
            looks(1, false);
        }
        assertThat(longest).isLessThan(100);
    }

    @Test
    void a_ring_that_begins_anew_is_no_stream() {
        fallsBack(100, 300);
        position = 0;
        assertThat(fallsBack(100, 20)).isLessThan(10);
    }

    @Test
    void behind_a_larger_message_none_is() {
        looks(2, false);
        var larger = new Frame();
        larger.limit = 57;
        backoff.take(larger);
        assertThat(looks(7, true)).isEqualTo(7);
    }
}
