package org.ibidem.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FreeNumbersTest {
    private final Set<Integer> used = new HashSet<>();

    @Test
    void those_in_use_are_passed_over() {
        var numbers = new FreeNumbers();
        used.addAll(Set.of(2, 3));
        assertThat(numbers.take(used::contains)).isEqualTo(1);
        assertThat(numbers.take(used::contains)).isEqualTo(4);
    }

    @Test
    void after_the_largest_the_first_comes_again() {
        var numbers = new FreeNumbers();
        used.add(1);
        numbers.goOnFrom(Integer.MAX_VALUE);
        assertThat(numbers.take(used::contains)).isEqualTo(Integer.MAX_VALUE);
        assertThat(numbers.take(used::contains)).isEqualTo(2);
    }

    @Test
    void those_that_are_two_apart_stay_even_or_odd() {
        var odd = new FreeNumbers(1, 2);
        odd.goOnFrom(Integer.MAX_VALUE - 2);
        assertThat(odd.take(used::contains)).isEqualTo(Integer.MAX_VALUE - 2);
        assertThat(odd.take(used::contains)).isEqualTo(Integer.MAX_VALUE);
        assertThat(odd.take(used::contains)).isEqualTo(1);
        var even = new FreeNumbers(2, 2);
        even.goOnFrom(Integer.MAX_VALUE - 1);
        assertThat(even.take(used::contains)).isEqualTo(Integer.MAX_VALUE - 1);
        assertThat(even.take(used::contains)).isEqualTo(2);
    }

    @Test
    void one_that_has_become_free_waits_for_all_others() {
        var numbers = new FreeNumbers();
        int first = numbers.take(used::contains);
        assertThat(numbers.take(used::contains)).isNotEqualTo(first);
    }
}
