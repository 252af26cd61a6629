package org.ibidem.hub.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class BudgetTest {
    private static final long SECOND = 1_000_000_000L;

    @Test
    void a_burst_passes_at_once_and_the_rest_at_the_rate() {
        var budget = new Budget(1_000_000);
        long now = Long.MAX_VALUE - 5; // clocks may wrap
        assertThat(budget.spend(200_000, now)).isZero();
        assertThat(budget.spend(100_000, now)).isEqualTo(SECOND / 10);
        assertThat(budget.spend(1_000_000, now + SECOND / 10)).isEqualTo(SECOND);
    }

    @Test
    void over_a_long_time_no_more_than_the_rate_passes() {
        var budget = new Budget(50_000);
        long now = 0;
        long spent = 0;
        while (now < 60 * SECOND) {
            spent += 1500;
            now += budget.spend(1500, now) + 1000;
        }
        assertThat(spent).isBetween(60 * 49_000L, 60 * 50_000L + 50_000 / 5 + 1500);
    }

    @Test
    void what_was_not_used_is_not_saved_up() {
        var budget = new Budget(1_000_000);
        assertThat(budget.spend(200_000, 0)).isZero();
        assertThat(budget.spend(300_000, 100 * SECOND)).isEqualTo(SECOND / 10);
    }

    @Test
    void without_a_rate_anything_passes() {
        assertThat(new Budget(0).spend(Integer.MAX_VALUE, 0)).isZero();
    }

    @Test
    void less_is_read_at_once_from_who_may_send_little() {
        var none = Limits.DEFAULT;
        assertThat(none.read(1, 256 << 10)).isEqualTo(256 << 10);
        var some = none.use(100_000, 0, Duration.ZERO);
        assertThat(some.read(1, 256 << 10)).isEqualTo(20_000);
        var shared = none.use(100_000, 100_000, Duration.ZERO);
        assertThat(shared.read(10, 256 << 10)).isEqualTo(2_000);
        assertThat(shared.read(10_000, 256 << 10)).isEqualTo(1 << 10);
        assertThat(shared.read(10_000, 100)).isEqualTo(100);
    }

    /// What it says to the hub itself stands behind what it has sent and may not be read yet.
    @Test
    void who_may_send_little_is_granted_no_more_than_is_soon_read() {
        var none = Limits.DEFAULT;
        assertThat(none.credit(1, 1, 1)).isEqualTo(1 << 20);
        var some = none.use(100_000, 0, Duration.ZERO);
        assertThat(some.credit(1, 1, 1)).isEqualTo(20_000);
        assertThat(some.credit(1, 1, 10)).isEqualTo(2_000);
        assertThat(some.credit(1, 1, 4000)).isEqualTo(1 << 10);
        assertThat(none.use(0, 100_000, Duration.ZERO).credit(1, 5, 1)).isEqualTo(4_000);
        assertThat(none.use(10_000, 100_000, Duration.ZERO).credit(1, 5, 1)).isEqualTo(2_000);
        assertThat(none.use(0, 1, Duration.ZERO).credit(1, 5, 1)).isEqualTo(1 << 10);
    }
}
