package org.ibidem.satin.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import org.junit.jupiter.api.Test;

/// What was assigned and lost on several ways.
class SinceTest {
    private static BitSet slots(int... all) {
        var slots = new BitSet();
        for (int slot : all) {
            slots.set(slot);
        }
        return slots;
    }

    private static Since since(BitSet assigned, BitSet lost) {
        var since = new Since();
        since.assigned.or(assigned);
        since.lose(lost);
        return since;
    }

    @Test
    void what_is_lost_on_one_way_is_surely_lost_where_it_is_on_all() {
        var one = since(slots(1, 2), slots(2));
        one.merge(since(slots(2, 3), slots(2, 3)));
        assertThat(one.assigned).isEqualTo(slots(1, 2, 3));
        assertThat(one.lost).isEqualTo(slots(2, 3));
        assertThat(one.surelyLost).isEqualTo(slots(2));
    }

    @Test
    void a_copy_goes_its_own_way() {
        var one = since(slots(1, 2), slots(2));
        var copy = one.copy();
        assertThat(copy.assigned).isEqualTo(slots(1, 2));
        assertThat(copy.lost).isEqualTo(slots(2));
        assertThat(copy.surelyLost).isEqualTo(slots(2));
        copy.merge(since(slots(5), slots(5)));
        assertThat(one.assigned).isEqualTo(slots(1, 2));
        assertThat(one.lost).isEqualTo(slots(2));
        assertThat(one.surelyLost).isEqualTo(slots(2));
    }

    /// Or the analysis would end before all ways are added.
    @Test
    void each_way_that_says_something_new_makes_it_larger() {
        var one = since(slots(), slots(2));
        int size = one.size();
        one.merge(since(slots(7), slots(2)));
        assertThat(one.size()).as("assigned").isGreaterThan(size);
        size = one.size();
        one.merge(since(slots(7), slots(2, 4)));
        assertThat(one.size()).as("lost on some way").isGreaterThan(size);
        size = one.size();
        one.merge(since(slots(7), slots(4)));
        assertThat(one.size()).as("not lost on all").isGreaterThan(size);
        size = one.size();
        one.merge(since(slots(7), slots(4)));
        assertThat(one.size()).as("nothing new").isEqualTo(size);
    }
}
