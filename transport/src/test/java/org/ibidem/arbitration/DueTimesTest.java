package org.ibidem.arbitration;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DueTimesTest {
    private static final class One extends DueTimes.Entry {}

    private final DueTimes<One> times = new DueTimes<>();

    @Test
    void nothing_is_due_where_nothing_waits() {
        assertThat(times.due(Long.MAX_VALUE)).isNull();
        assertThat(times.left(5)).isEqualTo(Long.MAX_VALUE);
        times.remove(new One());
        assertThat(times.left(5)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void what_is_put_again_is_due_at_the_later_word() {
        var one = new One();
        times.put(one, 10);
        times.put(one, 20);
        assertThat(times.due(19)).isNull();
        assertThat(times.left(15)).isEqualTo(5);
        assertThat(times.due(20)).isSameAs(one);
        times.remove(one);
        assertThat(times.due(20)).isNull();
    }

    /// Beside a map that is looked through; the clock overflows on the way.
    @Test
    void the_first_due_comes_first_whatever_is_moved_and_taken_out() {
        var random = new Random(42);
        long base = Long.MAX_VALUE - 500;
        var all = new One[40];
        for (int i = 0; i < all.length; i++) {
            all[i] = new One();
        }
        Map<One, Long> model = new HashMap<>();
        for (int step = 0; step < 20_000; step++) {
            var one = all[random.nextInt(all.length)];
            if (random.nextInt(3) == 0) {
                times.remove(one);
                model.remove(one);
            } else {
                long due = base + random.nextInt(1_000);
                times.put(one, due);
                model.put(one, due);
            }
            long now = base;
            var least = model.values().stream().min(Comparator.comparingLong(due -> due - now));
            assertThat(times.left(now))
                    .isEqualTo(least.map(due -> due - now).orElse(Long.MAX_VALUE));
            if (least.isPresent()) {
                assertThat(times.due(least.get() - 1)).isNull();
                assertThat(model.get(times.due(least.get()))).isEqualTo(least.get());
            }
        }
    }
}
