package org.ibidem.arbitration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SpinBudgetTest {
    private static final long LEAST = WaitPolicy.ADAPTIVE.leastNanos();
    private static final long MOST = WaitPolicy.ADAPTIVE.spinNanos();

    private final SpinBudget budget = new SpinBudget(WaitPolicy.ADAPTIVE, 2);

    private void fall() {
        for (int i = 0; i < 20; i++) {
            budget.slept(1_000_000_000);
        }
    }

    @Test
    void what_comes_rarely_is_not_spun_for_long() {
        fall();
        assertThat(budget.nanos()).isEqualTo(LEAST);
    }

    @Test
    void what_comes_within_the_longest_spin_is_spun_for_although_it_slept_before() {
        fall();
        for (int i = 0; i < 20; i++) {
            budget.slept(MOST + 20_000); // it took that long to wake
        }
        assertThat(budget.nanos()).isEqualTo(MOST);
    }

    @Test
    void a_spin_that_finds_something_may_last_longer_next_time() {
        fall();
        budget.spun();
        assertThat(budget.nanos()).isEqualTo(2 * LEAST);
        for (int i = 0; i < 20; i++) {
            budget.spun();
        }
        assertThat(budget.nanos()).isEqualTo(MOST);
    }

    @Test
    void who_lost_its_core_while_spinning_sleeps_at_once_for_a_while() {
        budget.ticked(5_000);
        assertThat(budget.nanos()).isEqualTo(MOST);
        budget.ticked(3_000_000);
        for (int i = 0; i < 63; i++) {
            assertThat(budget.nanos()).isZero();
            budget.slept(30_000);
        }
        budget.slept(30_000);
        assertThat(budget.nanos()).isEqualTo(LEAST);
    }

    @Test
    void on_a_single_core_nobody_spins() {
        var single = new SpinBudget(WaitPolicy.ADAPTIVE, 1);
        for (int i = 0; i < 1_000; i++) {
            assertThat(single.nanos()).isZero();
            single.slept(30_000);
        }
        assertThat(new SpinBudget(WaitPolicy.SPIN_ONLY, 1).nanos()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void a_fixed_spin_stays_whatever_it_brings() {
        var fixed = new SpinBudget(WaitPolicy.fixed(20_000), 1);
        fixed.slept(1_000_000_000);
        fixed.ticked(1_000_000_000);
        fixed.spun();
        assertThat(fixed.nanos()).isEqualTo(20_000);
    }

    @Test
    void ways_to_wait_are_read_and_wrong_ones_refused() {
        assertThat(WaitPolicy.parse("adaptive")).isEqualTo(WaitPolicy.ADAPTIVE);
        assertThat(WaitPolicy.parse("20us")).isEqualTo(WaitPolicy.fixed(20_000));
        assertThatThrownBy(() -> WaitPolicy.parse("20ms"))
                .hasMessageContaining("unknown way to wait '20ms'");
        assertThatThrownBy(() -> WaitPolicy.ADAPTIVE.looking(0))
                .hasMessageContaining("after 1 poll or more, not 0");
    }

    @Test
    void a_choice_holds_for_those_below_that_have_none() {
        var node = new WaitChoice(WaitPolicy.ADAPTIVE);
        var port = node.below(null);
        assertThat(port.get()).isEqualTo(WaitPolicy.ADAPTIVE);
        node.choose(WaitPolicy.SLEEP);
        assertThat(port.get()).isEqualTo(WaitPolicy.SLEEP);
        port.choose(WaitPolicy.SPIN_ONLY);
        node.choose(WaitPolicy.ADAPTIVE);
        assertThat(port.get()).isEqualTo(WaitPolicy.SPIN_ONLY);
        port.choose(null);
        assertThat(port.get()).isEqualTo(WaitPolicy.ADAPTIVE);
        node.choose(null);
        assertThat(port.get()).as("somebody must have chosen").isEqualTo(WaitPolicy.ADAPTIVE);
    }
}
