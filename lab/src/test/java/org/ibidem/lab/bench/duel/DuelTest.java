package org.ibidem.lab.bench.duel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class DuelTest {
    @Test
    void all_play_in_each_round_and_another_one_begins() {
        var all = List.of("a", "b", "c");
        assertThat(Duel.order(all, 0)).containsExactly("a", "b", "c");
        assertThat(Duel.order(all, 1)).containsExactly("b", "c", "a");
        assertThat(Duel.order(all, 2)).containsExactly("c", "a", "b");
        assertThat(Duel.order(all, 3)).containsExactly("a", "b", "c");
        var first = new HashSet<String>();
        for (int round = 0; round < Plan.FULL.rounds(); round++) {
            assertThat(Duel.order(all, round)).containsExactlyInAnyOrderElementsOf(all);
            first.add(Duel.order(all, round).getFirst());
        }
        assertThat(first).containsExactlyInAnyOrderElementsOf(all);
    }
}
