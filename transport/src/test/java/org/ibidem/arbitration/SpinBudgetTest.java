package org.ibidem.arbitration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SpinBudgetTest {
    private static final long LEAST = WaitPolicy.ADAPTIVE.leastNanos();
    private static final long MOST = WaitPolicy.ADAPTIVE.spinNanos();

    private final SpinBudget budget = new SpinBudget(WaitPolicy.ADAPTIVE, Cores.SEVERAL);

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
        budget.spun(1_000);
        assertThat(budget.nanos()).isEqualTo(2 * LEAST);
        for (int i = 0; i < 20; i++) {
            budget.spun(1_000);
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
    void who_never_spins_for_long_tries_it_now_and_then() {
        fall();
        int tries = 0;
        for (int i = 0; i < 320; i++) {
            budget.slept(1_000_000_000);
            tries += budget.nanos() == MOST ? 1 : 0;
        }
        assertThat(tries).isEqualTo(10);
        budget.slept(1_000_000_000);
        assertThat(budget.nanos()).as("once").isEqualTo(LEAST);
    }

    @Test
    void who_is_pinned_and_catches_nothing_by_the_longest_spin_gives_way_ever_longer() {
        var pinned = new SpinBudget(WaitPolicy.ADAPTIVE, Cores.PINNED);
        int spins = 0;
        for (int i = 0; i < 10_000; i++) {
            spins += pinned.nanos() == MOST ? 1 : 0;
            pinned.slept(MOST + 10_000); // the sender could not run before
        }
        assertThat(spins).isBetween(8, 100);
    }

    @Test
    void what_a_pinned_one_finds_after_it_had_lost_its_core_is_no_success_of_spinning() {
        var pinned = new SpinBudget(WaitPolicy.ADAPTIVE, Cores.PINNED);
        for (int i = 0; i < 8; i++) {
            assertThat(pinned.nanos()).isEqualTo(MOST);
            pinned.spun(40_000);
        }
        assertThat(pinned.nanos()).isZero();
    }

    @Test
    void who_is_pinned_and_catches_most_goes_on_spinning() {
        var pinned = new SpinBudget(WaitPolicy.ADAPTIVE, Cores.PINNED);
        for (int i = 0; i < 1_000; i++) {
            assertThat(pinned.nanos()).isEqualTo(MOST);
            pinned.slept(MOST + 10_000);
            pinned.spun(1_000);
        }
    }

    private final SpinBudget yielding = new SpinBudget(WaitPolicy.YIELD_FIRST, Cores.SEVERAL);

    @Test
    void a_core_is_given_away_for_as_long_as_the_policy_says() {
        assertThat(yielding.nanos()).as("a short spin first").isEqualTo(LEAST);
        assertThat(yielding.mayYield(3_000)).isTrue();
        assertThat(yielding.mayYield(1_999_999)).isTrue();
        assertThat(yielding.mayYield(2_000_000)).isFalse();
        assertThat(yielding.givesCoreAway(System.nanoTime(), 3_000)).isTrue();
        assertThat(budget.givesCoreAway(System.nanoTime(), 0)).as("usually not").isFalse();
    }

    @Test
    void a_core_that_was_kept_is_not_given_away_for_ever_more_waits() {
        for (int waits = 64; waits <= 4_096; waits <<= 1) {
            yielding.cameBack(2_000_000);
            for (int i = 0; i < waits; i++) {
                assertThat(yielding.mayYield(3_000)).isFalse();
                yielding.slept(30_000);
            }
            assertThat(yielding.mayYield(3_000)).as("after %d waits", waits).isTrue();
        }
        yielding.yielded();
        yielding.cameBack(2_000_000);
        for (int i = 0; i < 64; i++) {
            yielding.slept(30_000);
        }
        assertThat(yielding.mayYield(3_000)).as("as before, since it brought something").isTrue();
    }

    @Test
    void four_waits_in_a_row_that_were_too_long_put_off_the_next_try() {
        for (int i = 0; i < 3; i++) {
            yielding.slept(5_000_000);
        }
        yielding.yielded();
        for (int i = 0; i < 3; i++) {
            yielding.slept(5_000_000);
        }
        assertThat(yielding.mayYield(3_000)).as("not four in a row").isTrue();
        yielding.slept(5_000_000);
        for (int i = 0; i < 32; i++) {
            assertThat(yielding.mayYield(3_000)).isFalse();
            yielding.slept(5_000_000);
        }
        assertThat(yielding.mayYield(3_000)).isTrue();
    }

    @Test
    void cores_are_read_as_the_system_says_them() {
        assertThat(Cores.isList("\t0-1")).isTrue();
        assertThat(Cores.isList("\t0,4")).isTrue();
        assertThat(Cores.isList("\t13")).isFalse();
    }

    @Test
    void on_a_single_core_nobody_spins() {
        var single = new SpinBudget(WaitPolicy.ADAPTIVE, Cores.ONE);
        for (int i = 0; i < 1_000; i++) {
            assertThat(single.nanos()).isZero();
            single.slept(30_000);
        }
        assertThat(new SpinBudget(WaitPolicy.SPIN_ONLY, Cores.ONE).nanos())
                .isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void a_fixed_spin_stays_whatever_it_brings() {
        var fixed = new SpinBudget(WaitPolicy.fixed(20_000), Cores.ONE);
        fixed.slept(1_000_000_000);
        fixed.ticked(1_000_000_000);
        fixed.spun(1_000);
        assertThat(fixed.nanos()).isEqualTo(20_000);
    }

    @Test
    void ways_to_wait_are_read_and_wrong_ones_refused() {
        assertThat(WaitPolicy.parse("adaptive")).isEqualTo(WaitPolicy.ADAPTIVE);
        assertThat(WaitPolicy.parse("yield")).isEqualTo(WaitPolicy.YIELD_FIRST);
        assertThat(WaitPolicy.YIELD_FIRST.looking(7).yieldNanos()).isEqualTo(2_000_000);
        assertThatThrownBy(() -> new WaitPolicy(1, 1, 1, -1)).hasMessageContaining("not -1");
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
