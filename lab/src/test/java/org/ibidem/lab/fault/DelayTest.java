package org.ibidem.lab.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import org.ibidem.buffer.Frame;
import org.ibidem.lab.fault.delay.DelayFilter;
import org.ibidem.lab.fault.delay.DelayFilter.Delay;
import org.ibidem.lab.fault.reorder.ReorderFilter;
import org.ibidem.lab.fault.reorder.ReorderFilter.Reorder;
import org.ibidem.link.FilteredLink;
import org.ibidem.link.FrameFilter;
import org.ibidem.link.FrameLink;
import org.ibidem.link.FrameSource;
import org.ibidem.link.LinkBroken;
import org.ibidem.link.NoLower;
import org.ibidem.link.SilentLink;
import org.ibidem.task.ManualTasks;
import org.ibidem.wait.Armed;
import org.ibidem.wait.Waitable;
import org.ibidem.wait.WaitableOver;
import org.junit.jupiter.api.Test;

/// Frames held back by time, with a clock that stands still.
class DelayTest {
    private static final Duration BY = Duration.ofMillis(5);

    private final ManualTasks tasks = new ManualTasks();
    private final Below below = new Below();
    private final Frame lent = new Frame();
    private int rings;

    private FrameSource over(FrameFilter filter, Record options) {
        var silent = new SilentLink();
        FrameLink link = new FilteredLink(silent.sink(), below, silent);
        try {
            var source = filter.over(link, 0, options, new NoLower(tasks)).source();
            ((Waitable) source).bell(() -> rings++);
            return source;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private FrameSource delay(int most) {
        return over(new DelayFilter(), new Delay(BY, most));
    }

    @Test
    void a_frame_arrives_when_it_is_due_and_not_before() {
        var source = delay(1000);
        below.arrived = 2;
        assertThat(source.poll(lent)).isFalse();
        tasks.advance(BY.minusNanos(1));
        assertThat(source.poll(lent)).isFalse();
        tasks.advance(Duration.ofNanos(1));
        assertThat(source.poll(lent)).isTrue();
        assertThat(number()).isEqualTo(0);
        assertThat(source.poll(lent)).isTrue();
        assertThat(number()).isEqualTo(1);
        assertThat(source.poll(lent)).isFalse();
    }

    @Test
    void takes_no_more_from_below_than_it_may_hold() {
        var source = delay(300);
        below.arrived = 1_000;
        for (int i = 0; i < 100; i++) {
            assertThat(source.poll(lent)).isFalse();
        }
        assertThat(below.polled).isLessThan(10);
        tasks.advance(BY);
        int got = 0;
        while (got < 1_000) {
            tasks.advance(BY);
            if (source.poll(lent)) {
                assertThat(number()).isEqualTo(got++);
            }
        }
    }

    @Test
    void a_sleeper_is_woken_when_a_frame_is_due() {
        var source = delay(1000);
        below.arrived = 1;
        source.poll(lent);
        assertThat(((Waitable) source).arm()).isNotEqualTo(Armed.READY);
        tasks.advance(BY.minusNanos(1));
        assertThat(rings).isZero();
        tasks.advance(Duration.ofNanos(1));
        assertThat(rings).isEqualTo(1);
        ((Waitable) source).disarm();
        assertThat(source.poll(lent)).isTrue();
        assertThat(((Waitable) source).arm()).isNotEqualTo(Armed.READY);
        assertThat(tasks.waiting()).as("nothing held, no alarm").isZero();
    }

    @Test
    void an_alarm_is_stopped_by_whoever_wakes_earlier() {
        var source = delay(1000);
        below.arrived = 1;
        source.poll(lent);
        ((Waitable) source).arm();
        assertThat(tasks.waiting()).isEqualTo(1);
        ((Waitable) source).disarm();
        assertThat(tasks.waiting()).isZero();
    }

    @Test
    void nobody_sleeps_over_a_frame_that_is_due() {
        var source = delay(1000);
        below.arrived = 1;
        source.poll(lent);
        tasks.advance(BY);
        assertThat(((Waitable) source).arm()).isEqualTo(Armed.READY);
    }

    @Test
    void what_arrived_before_the_link_broke_comes_before_the_news_of_it() {
        var source = delay(1000);
        below.arrived = 1;
        below.broken = true;
        assertThat(source.poll(lent)).isFalse();
        tasks.advance(BY);
        assertThat(source.poll(lent)).isTrue();
        assertThatThrownBy(() -> source.poll(lent)).isInstanceOf(LinkBroken.class);
    }

    @Test
    void a_frame_nobody_overtakes_in_time_is_let_go() {
        var source = over(new ReorderFilter(), new Reorder(1, 1, BY));
        below.arrived = 1;
        assertThat(source.poll(lent)).isFalse();
        assertThat(((Waitable) source).arm()).isNotEqualTo(Armed.READY);
        assertThat(tasks.waiting()).isEqualTo(1);
        tasks.advance(BY);
        assertThat(source.poll(lent)).isTrue();
        assertThat(number()).isZero();
    }

    @Test
    void a_frame_that_comes_in_time_overtakes() {
        var source = over(new ReorderFilter(), new Reorder(1, 1, BY));
        below.arrived = 2;
        assertThat(source.poll(lent)).isTrue();
        assertThat(number()).isEqualTo(1);
        assertThat(((Waitable) source).arm()).as("the other is next").isEqualTo(Armed.READY);
        assertThat(source.poll(lent)).isTrue();
        assertThat(number()).isZero();
    }

    private int number() {
        return lent.memory.get(ValueLayout.JAVA_INT_UNALIGNED, lent.position);
    }

    /// A source of numbered frames.
    private static final class Below implements FrameSource, WaitableOver {
        private final MemorySegment memory = Arena.ofAuto().allocate(Integer.BYTES);
        private int arrived;
        private int polled;
        private boolean broken;

        @Override
        public boolean poll(Frame lent) {
            if (polled == arrived) {
                if (broken) {
                    throw new LinkBroken("gone");
                }
                return false;
            }
            memory.set(ValueLayout.JAVA_INT_UNALIGNED, 0, polled++);
            lent.memory = memory;
            lent.position = 0;
            lent.limit = Integer.BYTES;
            lent.flags = 0;
            return true;
        }

        @Override
        public void release() {}

        @Override
        public Armed arm() {
            return Armed.quiet(polled == arrived);
        }

        @Override
        public Waitable below() {
            return Waitable.of(null);
        }
    }
}
