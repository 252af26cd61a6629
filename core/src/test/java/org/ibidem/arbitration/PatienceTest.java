package org.ibidem.arbitration;

import static org.assertj.core.api.Assertions.assertThat;

import org.ibidem.buffer.Frame;
import org.junit.jupiter.api.Test;

class PatienceTest {
    private final Patience patience = new Patience();

    /// Makes so many looks, and answers how many of them were delayed.
    private int looks(int count, boolean found) {
        int delayed = 0;
        for (int i = 0; i < count; i++) {
            if (patience.isDue(new Frame())) {
                delayed++;
            }
            patience.looked(found);
        }
        return delayed;
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
        patience.take(new Frame()); // what it does can only be measured
        assertThat(looks(7, true)).isEqualTo(6);
    }

    @Test
    void behind_a_larger_message_none_is() {
        looks(2, false);
        var larger = new Frame();
        larger.limit = 57;
        patience.take(larger);
        assertThat(looks(7, true)).isEqualTo(7);
    }
}
