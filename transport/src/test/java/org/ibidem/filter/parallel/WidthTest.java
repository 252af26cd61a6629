package org.ibidem.filter.parallel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// What is chosen for a line, by samples as they would be: no network and no clock.
class WidthTest {
    private static final long FAR = 50_000_000;
    private static final long A_WHILE = 300_000_000;
    private static final double MB = 1e6;

    private final Width width = new Width(0);

    /// @param one what one strand brings
    /// @param all what the line has
    private int after(int samples, double one, double all) {
        int count = width.current();
        for (int i = 0; i < samples; i++) {
            count = width.next(new Width.Sample(Math.min(all, count * one), FAR, A_WHILE));
        }
        return count;
    }

    @Test
    void it_begins_with_one() {
        assertThat(width.current()).isEqualTo(1);
    }

    @Test
    void a_line_that_one_fills_has_one() {
        assertThat(after(20, 1.2 * MB, 1.2 * MB)).isEqualTo(1);
        assertThat(width.isSure()).isTrue();
        assertThat(width.why()).isEqualTo("1 brought 1.20 MB/s, and 8 brought 1.20 MB/s");
    }

    /// What one brings in a while is its beginning, before it loses something.
    @Test
    void a_large_line_that_one_seems_to_fill_has_eight() {
        assertThat(after(10, 9 * MB, 9 * MB)).isEqualTo(8);
        assertThat(width.isSettled()).isTrue();
    }

    @Test
    void a_line_that_takes_eight_gets_them_at_once() {
        assertThat(after(2, 1.4 * MB, 9 * MB)).isEqualTo(8);
        assertThat(after(2, 1.4 * MB, 9 * MB)).isEqualTo(16);
        assertThat(after(8, 1.4 * MB, 9 * MB)).isEqualTo(16);
        assertThat(width.isSettled()).isTrue();
        assertThat(width.isSure()).isFalse();
        assertThat(width.why()).isEqualTo("8 brought 9.00 MB/s, and 16 brought 9.00 MB/s");
    }

    @Test
    void one_that_loses_much_gets_many() {
        assertThat(after(20, 0.2 * MB, 12 * MB)).isEqualTo(32);
        assertThat(width.why()).isEqualTo("16 brought 3.20 MB/s, and 32 brought 6.40 MB/s");
    }

    @Test
    void luck_is_found_out() {
        after(7, 1.2 * MB, 1.2 * MB);
        assertThat(after(10, 1.2 * MB, 1.2 * MB)).isEqualTo(1);
        assertThat(most(10, 0.3 * MB, 1.2 * MB)).isGreaterThanOrEqualTo(8);
    }

    @Test
    void too_many_that_crowd_each_other_out_are_left() {
        after(2, 1.4 * MB, 9 * MB);
        assertThat(after(2, 1.4 * MB, 9 * MB)).isEqualTo(16);
        assertThat(after(7, 0.5 * MB, 7 * MB)).isEqualTo(8);
    }

    @Test
    void there_are_never_more_than_32() {
        for (int i = 0; i < 500; i++) {
            assertThat(after(1, MB, 1_000 * MB)).isBetween(1, 32);
        }
        assertThat(width.current()).isEqualTo(32);
    }

    @Test
    void a_near_peer_has_one_however_fast() {
        int count = 1;
        for (int i = 0; i < 20; i++) {
            count = width.next(new Width.Sample(100 * MB * count, 500_000, A_WHILE));
        }
        assertThat(count).isEqualTo(1);
    }

    @Test
    void what_was_best_the_last_time_is_where_it_begins() {
        var again = new Width(16);
        for (int i = 0; i < 20; i++) {
            assertThat(again.next(new Width.Sample(9 * MB, FAR, A_WHILE))).isEqualTo(16);
        }
    }

    /// New connections are fast until they lose something for the first time.
    @Test
    void a_good_beginning_is_no_reason_to_stay() {
        after(2, 11 * MB, 12 * MB);
        after(8, 11 * MB, 12 * MB);
        assertThat(width.current()).isEqualTo(8);
        assertThat(most(30, 0.4 * MB, 12 * MB)).isEqualTo(32);
        assertThat(after(20, 0.4 * MB, 12 * MB)).isEqualTo(32);
        assertThat(width.isSure()).isTrue();
    }

    /// Where much is lost, 16 may bring hardly more than 8 for a while.
    @Test
    void where_whiles_differ_there_is_no_telling_and_more_are_kept() {
        after(8, 0.2 * MB, 12 * MB);
        assertThat(width.current()).isEqualTo(16);
        for (int i = 0; i < 10; i++) {
            width.next(new Width.Sample((i % 2 == 0 ? 1.3 : 2.1) * MB, FAR, A_WHILE));
        }
        assertThat(width.current()).isEqualTo(16);
    }

    /// The most there are in so many whiles.
    private int most(int samples, double one, double all) {
        int most = 0;
        for (int i = 0; i < samples; i++) {
            most = Math.max(most, after(1, one, all));
        }
        return most;
    }

    @Test
    void it_looks_again_when_little_gets_through() {
        after(20, 9 * MB, 9 * MB);
        assertThat(most(20, MB, 9 * MB)).isGreaterThanOrEqualTo(8);
    }

    @Test
    void it_looks_again_now_and_then() {
        after(20, 9 * MB, 9 * MB);
        assertThat(most((int) (60_000_000_000L / A_WHILE), 8 * MB, 90 * MB))
                .isGreaterThanOrEqualTo(8);
    }

    @Test
    void the_same_samples_give_the_same_choices() {
        var other = new Width(0);
        for (int i = 0; i < 1_000; i++) {
            var sample = new Width.Sample((i * 7919L % 100) * MB, FAR, A_WHILE);
            assertThat(width.next(sample)).isEqualTo(other.next(sample));
        }
    }
}
