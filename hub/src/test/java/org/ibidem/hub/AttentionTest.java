package org.ibidem.hub;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.ibidem.task.ManualTasks;
import org.junit.jupiter.api.Test;

/// Which time counts against members.
class AttentionTest {
    private static final long INTERVAL = 500_000_000;

    private final ManualTasks tasks = new ManualTasks();
    private final Attention attention = new Attention(tasks, Duration.ofNanos(INTERVAL));
    private final long begin = attention.now();

    private void look(long after, boolean able) {
        tasks.advance(Duration.ofNanos(after));
        attention.look(able);
    }

    private long counted() {
        return attention.now() - begin;
    }

    @Test
    void all_time_counts_in_which_it_is_looked_after() {
        look(INTERVAL, true);
        look(2 * INTERVAL, true);
        look(1, true);
        assertThat(counted()).isEqualTo(3 * INTERVAL + 1);
    }

    @Test
    void what_it_slept_through_does_not() {
        look(INTERVAL, true);
        look(2 * INTERVAL + 1, true);
        look(100 * INTERVAL, true);
        assertThat(counted()).isEqualTo(INTERVAL);
        look(INTERVAL, true);
        assertThat(counted()).isEqualTo(2 * INTERVAL);
    }

    @Test
    void nor_does_time_in_which_it_could_do_nothing() {
        look(INTERVAL, false);
        look(INTERVAL, false);
        assertThat(counted()).isZero();
        look(INTERVAL, true);
        assertThat(counted()).isEqualTo(INTERVAL);
    }

    @Test
    void it_begins_where_the_clock_of_all_stands() {
        assertThat(begin).isEqualTo(tasks.nanoTime());
    }
}
