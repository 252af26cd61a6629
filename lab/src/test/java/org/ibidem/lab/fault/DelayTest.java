package org.ibidem.lab.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.ibidem.buffer.BufferPool;
import org.ibidem.buffer.Frame;
import org.ibidem.lab.fault.delay.DelayFilter;
import org.ibidem.lab.fault.delay.DelayFilter.Delay;
import org.ibidem.lab.fault.reorder.ReorderFilter;
import org.ibidem.lab.fault.reorder.ReorderFilter.Reorder;
import org.ibidem.link.Armed;
import org.ibidem.link.DatagramPath;
import org.ibidem.link.FilteredLink;
import org.ibidem.link.FrameFilter;
import org.ibidem.link.FrameLink;
import org.ibidem.link.FrameSink;
import org.ibidem.link.FrameSource;
import org.ibidem.link.LinkBroken;
import org.ibidem.link.Lower;
import org.ibidem.link.Sleepy;
import org.ibidem.link.SleepyOver;
import org.ibidem.link.StreamPath;
import org.ibidem.link.Tasks;
import org.ibidem.link.Terms;
import org.junit.jupiter.api.Test;

/// Frames held back by time, with a clock that stands still.
class DelayTest {
    private static final Duration BY = Duration.ofMillis(5);

    private final Clock clock = new Clock();
    private final Below below = new Below();
    private final Frame lent = new Frame();
    private int rings;

    private FrameSource over(FrameFilter filter, Record options) {
        FrameSink none = new Silent();
        FrameLink link = new FilteredLink(none, below, new Nothing());
        try {
            var source = filter.over(link, 0, options, new Ground(clock)).source();
            ((Sleepy) source).bell(() -> rings++);
            return source;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Gives filters the time and nothing else.
    private record Ground(Tasks tasks) implements Lower {
        @Override
        public boolean active() {
            return true;
        }

        @Override
        public String key() {
            throw new AssertionError("needs no key");
        }

        @Override
        public StreamPath stream() {
            throw new AssertionError("needs no connection");
        }

        @Override
        public DatagramPath datagrams() {
            throw new AssertionError("needs no datagrams");
        }

        @Override
        public Terms terms() {
            return Terms.of(new BufferPool());
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
        clock.now += BY.toNanos() - 1;
        assertThat(source.poll(lent)).isFalse();
        clock.now += 1;
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
        clock.now += BY.toNanos();
        int got = 0;
        while (got < 1_000) {
            clock.now += BY.toNanos();
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
        assertThat(((Sleepy) source).arm()).isNotEqualTo(Armed.READY);
        assertThat(clock.alarms).singleElement().satisfies(a -> assertThat(a.after).isEqualTo(BY));
        clock.now += BY.toNanos();
        clock.alarms.getFirst().body.run();
        assertThat(rings).isEqualTo(1);
        ((Sleepy) source).disarm();
        assertThat(source.poll(lent)).isTrue();
        assertThat(((Sleepy) source).arm()).isNotEqualTo(Armed.READY);
        assertThat(clock.alarms).as("nothing held, no alarm").hasSize(1);
    }

    @Test
    void an_alarm_is_stopped_by_whoever_wakes_earlier() {
        var source = delay(1000);
        below.arrived = 1;
        source.poll(lent);
        ((Sleepy) source).arm();
        ((Sleepy) source).disarm();
        assertThat(clock.alarms.getFirst().stopped).isTrue();
    }

    @Test
    void nobody_sleeps_over_a_frame_that_is_due() {
        var source = delay(1000);
        below.arrived = 1;
        source.poll(lent);
        clock.now += BY.toNanos();
        assertThat(((Sleepy) source).arm()).isEqualTo(Armed.READY);
    }

    @Test
    void what_arrived_before_the_link_broke_comes_before_the_news_of_it() {
        var source = delay(1000);
        below.arrived = 1;
        below.broken = true;
        assertThat(source.poll(lent)).isFalse();
        clock.now += BY.toNanos();
        assertThat(source.poll(lent)).isTrue();
        assertThatThrownBy(() -> source.poll(lent)).isInstanceOf(LinkBroken.class);
    }

    @Test
    void a_frame_nobody_overtakes_in_time_is_let_go() {
        var source = over(new ReorderFilter(), new Reorder(1, 1, BY));
        below.arrived = 1;
        assertThat(source.poll(lent)).isFalse();
        assertThat(((Sleepy) source).arm()).isNotEqualTo(Armed.READY);
        assertThat(clock.alarms).hasSize(1);
        clock.now += BY.toNanos();
        assertThat(source.poll(lent)).isTrue();
        assertThat(number()).isZero();
    }

    @Test
    void a_frame_that_comes_in_time_overtakes() {
        var source = over(new ReorderFilter(), new Reorder(1, 1, BY));
        below.arrived = 2;
        assertThat(source.poll(lent)).isTrue();
        assertThat(number()).isEqualTo(1);
        assertThat(((Sleepy) source).arm()).as("the other is next").isEqualTo(Armed.READY);
        assertThat(source.poll(lent)).isTrue();
        assertThat(number()).isZero();
    }

    private int number() {
        return lent.memory.get(ValueLayout.JAVA_INT_UNALIGNED, lent.position);
    }

    /// A source of numbered frames.
    private static final class Below implements FrameSource, SleepyOver {
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
        public Sleepy below() {
            return Sleepy.of(null);
        }
    }

    private static final class Alarm implements Tasks.Task {
        private final Duration after;
        private final Runnable body;
        private boolean stopped;

        Alarm(Duration after, Runnable body) {
            this.after = after;
            this.body = body;
        }

        @Override
        public void stop() {
            stopped = true;
        }
    }

    private static final class Clock implements Tasks {
        private final List<Alarm> alarms = new ArrayList<>();
        private long now;

        @Override
        public Task start(String name, Runnable body) {
            throw new AssertionError("needs no thread");
        }

        @Override
        public Task after(Duration delay, String name, Runnable body) {
            alarms.add(new Alarm(delay, body));
            return alarms.getLast();
        }

        @Override
        public long nanoTime() {
            return now;
        }
    }

    private record Silent() implements FrameSink {
        @Override
        public boolean claim(Frame room, int atLeast) {
            return false;
        }

        @Override
        public boolean commit(Frame room, int flags) {
            return true;
        }

        @Override
        public boolean push() {
            return true;
        }

        @Override
        public int largest() {
            return 0;
        }
    }

    private record Nothing() implements FrameLink {
        @Override
        public FrameSink sink() {
            return new Silent();
        }

        @Override
        public FrameSource source() {
            return new Below();
        }

        @Override
        public void close() {}
    }
}
