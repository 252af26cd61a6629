package org.ibidem.apps.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ShownTest {
    private static final long A_WHILE = 50_000_000;

    private final AtomicLong now = new AtomicLong();
    private final Shown shown = new Shown(now::get);
    private final List<Integer> made = new ArrayList<>();
    private long madeAt;

    private Sample sample(int step, boolean last) {
        made.add(step);
        madeAt = now.get();
        return new Sample(2, 0, step, 9, last, new byte[4]);
    }

    /// Steps go on, each a while after the one before, until it has its sample.
    private int first(CompletableFuture<Sample> looked) {
        int step = made.isEmpty() ? 1 : made.getLast() + 1;
        while (!looked.isDone()) {
            now.addAndGet(A_WHILE);
            shown.step(step++, this::sample);
            Thread.onSpinWait();
        }
        return looked.join().step();
    }

    private CompletableFuture<Sample> look(long after) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return shown.look(after);
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                },
                Executors.newVirtualThreadPerTaskExecutor());
    }

    @Test
    void what_nobody_asks_for_is_not_made() {
        for (int step = 1; step < 100; step++) {
            now.addAndGet(A_WHILE);
            shown.step(step, this::sample);
        }
        assertThat(made).isEmpty();
    }

    @Test
    void who_asks_gets_the_next_step_and_nothing_more_is_made() {
        int seen = first(look(-1));
        assertThat(made).containsExactly(seen);
        shown.step(seen + 1, this::sample);
        assertThat(made).hasSize(1);
        assertThat(first(look(seen))).isGreaterThan(seen);
        assertThat(shown.count()).isEqualTo(2);
    }

    @Test
    void one_sample_serves_all_who_wait() {
        int seen = first(look(-1));
        assertThat(look(seen - 1).join().step()).isEqualTo(seen);
        assertThat(look(-1).join().step()).isEqualTo(seen);
        assertThat(made).hasSize(1);
    }

    @Test
    void there_are_25_a_second_at_most() throws InterruptedException {
        int seen = first(look(-1));
        now.set(madeAt); // it may have gone on before the sample was seen
        var next = look(seen);
        for (int step = seen + 1; step < seen + 1000; step++) { // in no time at all
            shown.step(step, this::sample);
            Thread.onSpinWait();
        }
        assertThat(made).hasSize(1);
        assertThat(next).isNotDone();
        assertThat(first(next)).isGreaterThan(seen);
    }

    @Test
    void the_last_one_stays() throws InterruptedException {
        shown.end(7, this::sample);
        assertThat(shown.look(-1).last()).isTrue();
        assertThat(shown.look(7).step()).isEqualTo(7);
    }
}
