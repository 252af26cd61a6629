package org.ibidem.arbitration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.Eventually.eventually;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.ibidem.task.Progress;
import org.ibidem.task.Tasks;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ProgressingTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;

    private final ManualClock clock = new ManualClock();
    private final Progressing progressing = new Progressing(clock);
    private final Thread driver = Thread.ofPlatform().daemon().start(progressing);

    @AfterEach
    void close() throws InterruptedException {
        progressing.close();
        driver.join();
    }

    /// A part that counts how often it is called, and when it was so the last time.
    private static class Counting implements Progress {
        final AtomicInteger calls = new AtomicInteger();
        volatile long last;
        private final long wait;

        Counting(long wait) {
            this.wait = wait;
        }

        @Override
        public long progress(long now) {
            last = now;
            calls.incrementAndGet();
            return wait;
        }

        void wasCalled(int times) {
            eventually("it was called " + times + " times", () -> calls.get() >= times);
            assertThat(calls).hasValue(times);
        }
    }

    /// The driver has looked at all parts since this was called.
    private void lookedAgain() {
        var look = new Counting(Progress.IDLE);
        var driven = progressing.add("a look", look);
        look.wasCalled(1);
        driven.soon();
        look.wasCalled(2);
        driven.stop();
    }

    @Test
    void a_part_is_called_at_once_and_then_when_it_is_due() {
        var part = new Counting(10 * SECOND);
        var driven = progressing.add("part", part);
        part.wasCalled(1);
        clock.advance(Duration.ofSeconds(10).minusNanos(1));
        lookedAgain();
        part.wasCalled(1);
        clock.advance(Duration.ofNanos(1));
        part.wasCalled(2);
        assertThat(part.last).isEqualTo(clock.nanoTime());
        clock.advance(Duration.ofSeconds(25));
        part.wasCalled(3); // not once for each time it would have been due
        driven.stop();
        assertThat(progressing.size()).isZero();
    }

    /// On the machine's clock, which tells nobody that it has moved.
    @Test
    void it_wakes_by_itself_for_whoever_is_due_first() throws InterruptedException {
        Thread thread;
        try (var byItself = new Progressing(Clock.SYSTEM)) {
            var late = new Counting(3_600 * SECOND);
            var early = new Counting(20 * MILLI);
            thread = Thread.ofPlatform().daemon().start(byItself);
            byItself.add("late", late);
            byItself.add("early", early);
            long begun = System.nanoTime();
            eventually("called again and again", () -> early.calls.get() >= 4);
            assertThat(System.nanoTime() - begun).isGreaterThanOrEqualTo(40 * MILLI);
            assertThat(late.calls).hasValue(1);
        }
        thread.join();
    }

    @Test
    void a_part_that_is_idle_is_called_when_it_says_soon() {
        var part = new Counting(Progress.IDLE);
        var driven = progressing.add("part", part);
        part.wasCalled(1);
        clock.advance(Duration.ofDays(1));
        lookedAgain();
        part.wasCalled(1);
        driven.soon();
        part.wasCalled(2);
        assertThat(part.last).isEqualTo(clock.nanoTime());
    }

    /// What it says while it is called is not forgotten with that call.
    @Test
    void soon_from_within_a_call_has_it_called_once_more() throws InterruptedException {
        var inside = new CountDownLatch(1);
        var said = new CountDownLatch(1);
        var part =
                new Counting(Progress.IDLE) {
                    @Override
                    public long progress(long now) {
                        inside.countDown();
                        awaited(said);
                        return super.progress(now);
                    }
                };
        var driven = progressing.add("part", part);
        inside.await();
        driven.soon();
        said.countDown();
        part.wasCalled(2);
        lookedAgain();
        part.wasCalled(2);
    }

    private static void awaited(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void a_part_that_throws_is_driven_no_more_and_harms_no_other() {
        var bad = new CountDownLatch(1);
        var good = new Counting(SECOND);
        progressing.add("good", good);
        good.wasCalled(1);
        var driven =
                progressing.add(
                        "bad",
                        _ -> {
                            bad.countDown();
                            throw new IllegalStateException("thrown on purpose by a test");
                        });
        eventually("it is forgotten", () -> bad.getCount() == 0 && progressing.size() == 1);
        driven.soon(); // to nobody
        clock.advance(Duration.ofSeconds(1));
        good.wasCalled(2);
        driven.stop();
    }

    @Test
    void stop_waits_until_whoever_calls_the_part_has_left_it() throws InterruptedException {
        var inside = new CountDownLatch(1);
        var leave = new CountDownLatch(1);
        var part =
                new Counting(SECOND) {
                    @Override
                    public long progress(long now) {
                        inside.countDown();
                        awaited(leave);
                        return super.progress(now);
                    }
                };
        var driven = progressing.add("part", part);
        inside.await();
        var stopped = new AtomicInteger(-1);
        var stopper =
                Thread.ofVirtual()
                        .start(() -> {
                            driven.stop();
                            stopped.set(part.calls.get());
                        });
        eventually("it waits", () -> stopper.getState() == Thread.State.WAITING);
        assertThat(stopped).hasValue(-1);
        leave.countDown();
        stopper.join();
        assertThat(stopped).as("calls that were over when it returned").hasValue(1);
        clock.advance(Duration.ofSeconds(2));
        driven.soon();
        lookedAgain();
        part.wasCalled(1);
    }

    @Test
    void a_part_may_stop_itself() {
        var part = new Counting(0);
        var itself = new CompletableFuture<Tasks.Driven>();
        itself.complete(
                progressing.add(
                        "part",
                        now -> {
                            itself.join().stop();
                            return part.progress(now);
                        }));
        part.wasCalled(1);
        lookedAgain();
        part.wasCalled(1);
    }

    @Test
    void a_part_is_called_when_its_channel_can_be_read_and_not_after_it_was_stopped()
            throws IOException {
        var pipe = Pipe.open();
        try (var source = pipe.source();
                var sink = pipe.sink()) {
            source.configureBlocking(false);
            var read = new AtomicInteger();
            var part =
                    new Counting(Progress.IDLE) {
                        @Override
                        public long progress(long now) {
                            read.addAndGet(drained(source));
                            return super.progress(now);
                        }

                        @Override
                        public SelectableChannel channel() {
                            return source;
                        }
                    };
            var driven = progressing.add("part", part);
            part.wasCalled(1);
            sink.write(ByteBuffer.allocate(3));
            eventually("it has read that", () -> read.get() == 3);
            sink.write(ByteBuffer.allocate(4));
            eventually("and what came behind it", () -> read.get() == 7);
            driven.stop();
            lookedAgain();
            int calls = part.calls.get();
            sink.write(ByteBuffer.allocate(5));
            lookedAgain();
            assertThat(part.calls).hasValue(calls);
            assertThat(drained(source)).isEqualTo(5);
        }
    }

    /// It is called as often as its wait says, and reads what it is interested in.
    private static final class Reading extends Counting {
        final AtomicInteger read = new AtomicInteger();
        volatile int interest;
        private final Pipe.SourceChannel source;

        Reading(Pipe.SourceChannel source, int interest) {
            super(Progress.IDLE);
            this.source = source;
            this.interest = interest;
        }

        @Override
        public long progress(long now) {
            if (interest != 0) {
                read.addAndGet(drained(source));
            }
            return super.progress(now);
        }

        @Override
        public SelectableChannel channel() {
            return source;
        }

        @Override
        public int interest() {
            return interest;
        }
    }

    @Test
    void a_part_says_anew_after_each_call_what_its_channel_is_to_be_ready_for() throws IOException {
        var pipe = Pipe.open();
        try (var source = pipe.source();
                var sink = pipe.sink()) {
            source.configureBlocking(false);
            var part = new Reading(source, 0);
            var driven = progressing.add("part", part);
            part.wasCalled(1);
            sink.write(ByteBuffer.allocate(3));
            lookedAgain();
            part.wasCalled(1);
            part.interest = SelectionKey.OP_READ;
            driven.soon();
            eventually("it has read that", () -> part.read.get() == 3);
            sink.write(ByteBuffer.allocate(4));
            eventually("and what came behind it", () -> part.read.get() == 7);
            driven.stop();
        }
    }

    @Test
    void channels_have_their_turn_though_a_part_is_always_in_a_hurry() throws IOException {
        var pipe = Pipe.open();
        try (var source = pipe.source();
                var sink = pipe.sink()) {
            source.configureBlocking(false);
            var hurried = new Counting(0);
            progressing.add("hurried", hurried);
            var part = new Reading(source, SelectionKey.OP_READ);
            var driven = progressing.add("part", part);
            eventually("it was called", () -> part.calls.get() > 0);
            sink.write(ByteBuffer.allocate(3));
            eventually("it has read that", () -> part.read.get() == 3);
            driven.stop();
        }
    }

    @Test
    void a_part_that_has_nothing_to_do_any_more_is_not_called_when_it_was_due() {
        var calls = new AtomicInteger();
        var driven =
                progressing.add(
                        "part", _ -> calls.incrementAndGet() == 1 ? 10 * SECOND : Progress.IDLE);
        eventually("it was called", () -> calls.get() == 1);
        driven.soon();
        eventually("and again", () -> calls.get() == 2);
        lookedAgain();
        clock.advance(Duration.ofSeconds(10));
        lookedAgain();
        assertThat(calls).hasValue(2);
    }

    @Test
    void a_part_that_is_over_is_forgotten() {
        var part = new Counting(Progress.OVER);
        var driven = progressing.add("part", part);
        part.wasCalled(1);
        eventually("it is forgotten", () -> progressing.size() == 0);
        driven.soon();
        lookedAgain();
        part.wasCalled(1);
    }

    private static int drained(Pipe.SourceChannel source) {
        try {
            return Math.max(0, source.read(ByteBuffer.allocate(100)));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /// The other parts have nothing to do with a channel that was closed under its part.
    @Test
    void a_channel_that_is_closed_ends_nobody_else() throws IOException {
        var pipe = Pipe.open();
        pipe.source().configureBlocking(false);
        progressing.add(
                "closed",
                new Progress() {
                    @Override
                    public long progress(long now) {
                        return IDLE;
                    }

                    @Override
                    public SelectableChannel channel() {
                        return pipe.source();
                    }
                });
        lookedAgain();
        pipe.source().close();
        pipe.sink().close();
        lookedAgain();
        lookedAgain();
        assertThat(driver.isAlive()).isTrue();
    }

    @Test
    void it_ends_when_it_is_closed() throws InterruptedException {
        progressing.add("part", new Counting(Progress.IDLE));
        progressing.close();
        driver.join();
        assertThat(driver.isAlive()).isFalse();
    }
}
