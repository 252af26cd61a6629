package org.ibidem.lab.bench.sites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// What is said of slices that lie beside each other.
class PairsTest {
    /// A machine whose pace changes tenfold, with noise on top; the second takes a tenth less.
    @Test
    void a_ratio_is_found_on_a_machine_that_changes_its_pace() {
        var pairs = pairs(1.1);

        assertThat(pairs.ratio()).isCloseTo(1.1, within(0.02));
        assertThat(pairs.bounds()[0]).isBetween(1.05, pairs.ratio());
        assertThat(pairs.bounds()[1]).isBetween(pairs.ratio(), 1.15);
        assertThat(pairs.faster()).isGreaterThan(200);
    }

    @Test
    void two_that_are_alike_are_not_told_apart() {
        var pairs = pairs(1);

        assertThat(pairs.bounds()[0]).isLessThan(1);
        assertThat(pairs.bounds()[1]).isGreaterThan(1);
    }

    private static Pairs pairs(double ratio) {
        var random = new Random(5);
        var one = new ArrayList<Double>();
        var other = new ArrayList<Double>();
        for (int i = 0; i < 300; i++) {
            double pace = 1 + 9 * (i / 30 % 2);
            one.add(ratio * pace * (1 + 0.1 * random.nextGaussian()));
            other.add(pace * (1 + 0.1 * random.nextGaussian()));
        }
        return new Pairs(one, other);
    }

    @Test
    void medians_and_deciles_are_those_of_the_sorted_times() {
        var times = List.of(9.0, 1.0, 3.0, 2.0);

        assertThat(Pairs.median(times)).isEqualTo(2.5);
        assertThat(Pairs.median(List.of(9.0, 1.0, 3.0))).isEqualTo(3);
        assertThat(Pairs.bestDecile(times)).isEqualTo(1);
    }

    @Test
    void what_several_processes_tell_of_a_slice_is_its_first_time_and_their_sum() {
        var first = Slice.parse("1 500 1 2 3 4 5 6 7");
        var second = Slice.parse("1 600 10 20 30 40 50 60 70");

        assertThat(Slice.together(List.of(first, second)))
                .isEqualTo(new Slice(1, 500, List.of(11L, 22L, 33L, 44L, 55L, 66L, 77L)));
    }

    @Test
    void the_usual_plates_are_reduced_as_sor_does_and_in_each_iteration() {
        assertThat(Plates.parse().runs()).extracting(Plates::every).containsExactly(16, 1);
        assertThat(Plates.parse("--reduce-every", "4").runs())
                .extracting(Plates::every)
                .containsExactly(4);
    }

    @Test
    void what_is_wrong_with_the_options_is_said() {
        assertThatThrownBy(() -> Plates.parse("--size", "0"))
                .hasMessageStartingWith("--size is a number from 1 on, not '0'");
        assertThatThrownBy(() -> Plates.parse("--stacks", "tcp"))
                .hasMessageStartingWith("--stacks are two with ';' between, not 'tcp'");
        assertThatThrownBy(() -> Plates.parse("--iterations", "5"))
                .hasMessageStartingWith("unknown option '--iterations'; known: --size N");
    }
}
