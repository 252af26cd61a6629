package org.ibidem.arbitration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.eventually;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ThreadsTest {
    private final ManualClock clock = new ManualClock();
    private final Threads threads = new Threads("test", clock);

    @AfterEach
    void close() {
        threads.close();
    }

    @Test
    void a_task_runs_on_a_virtual_thread_with_owner_and_name() throws InterruptedException {
        var seen = new AtomicReference<Thread>();
        var ran = new CountDownLatch(1);
        threads.start(
                "work",
                () -> {
                    seen.set(Thread.currentThread());
                    ran.countDown();
                });
        ran.await();
        assertThat(seen.get().isVirtual()).isTrue();
        assertThat(seen.get().getName()).isEqualTo("test/work");
        eventually("the task is forgotten", () -> threads.size() == 0);
    }

    @Test
    void delayed_tasks_run_in_order_of_time_when_the_clock_gets_there() {
        var ran = Collections.synchronizedList(new ArrayList<Integer>());
        threads.after(Duration.ofSeconds(8), "late", () -> ran.add(8));
        threads.after(Duration.ofSeconds(3), "early", () -> ran.add(3));
        assertThat(ran).isEmpty();
        clock.advance(Duration.ofSeconds(3));
        eventually("the early one ran", () -> ran.equals(List.of(3)));
        clock.advance(Duration.ofSeconds(5));
        eventually("the late one ran", () -> ran.equals(List.of(3, 8)));
    }

    @Test
    void a_repeated_task_runs_in_one_thread_until_it_answers_false() {
        var seen = Collections.synchronizedList(new ArrayList<Thread>());
        threads.repeat(
                Duration.ofNanos(1),
                "look",
                () -> {
                    seen.add(Thread.currentThread());
                    return seen.size() < 3;
                });
        eventually("it has ended", () -> threads.size() == 0);
        assertThat(seen).hasSize(3).containsOnly(seen.getFirst());
        assertThat(seen.getFirst().isVirtual()).isFalse();
        assertThat(seen.getFirst().getName()).isEqualTo("test/look");
    }

    @Test
    void the_first_that_attend_to_peers_have_threads_of_the_platform_and_the_others_virtual_ones()
            throws InterruptedException {
        try (var few = new Threads("few", clock, new Semaphore(1))) {
            var end = new CountDownLatch(1);
            var seen = new LinkedBlockingQueue<Thread>();
            Runnable body =
                    () -> {
                        seen.add(Thread.currentThread());
                        waitFor(new CountDownLatch(1), end);
                    };
            var first = few.attend("peer", body);
            var platform = seen.take();
            assertThat(platform.isVirtual()).isFalse();
            assertThat(platform.isDaemon()).isTrue();
            assertThat(platform.getName()).isEqualTo("few/peer");
            few.attend("peer", body);
            assertThat(seen.take().isVirtual()).isTrue();
            first.stop();
            platform.join();
            few.attend("peer", body);
            assertThat(seen.take().isVirtual()).isFalse();
        }
    }

    @Test
    void who_was_closed_attends_to_nobody_and_keeps_no_thread_for_it() {
        var one = new Semaphore(1);
        var few = new Threads("few", clock, one);
        few.close();
        assertThatThrownBy(() -> few.attend("peer", () -> {}))
                .hasMessageContaining("'peer' cannot be started: few was closed");
        assertThat(one.availablePermits()).isEqualTo(1);
    }

    @Test
    void a_repeated_task_ends_when_it_is_stopped() {
        var task = threads.repeat(Duration.ofDays(1), "look", () -> true);
        assertThat(threads.size()).isEqualTo(1);
        task.stop();
        eventually("it has ended", () -> threads.size() == 0);
    }

    @Test
    void a_stopped_task_that_waits_never_starts_and_is_forgotten() {
        var ran = new AtomicBoolean();
        var task = threads.after(Duration.ofSeconds(1), "never", () -> ran.set(true));
        assertThat(threads.size()).isEqualTo(1);
        task.stop();
        assertThat(threads.size()).isZero();
        var done = new CountDownLatch(1);
        threads.after(Duration.ofSeconds(2), "after it", done::countDown);
        clock.advance(Duration.ofSeconds(2));
        eventually("a later one ran", () -> done.getCount() == 0);
        assertThat(ran).isFalse();
    }

    @Test
    void a_stopped_task_that_runs_is_interrupted() throws InterruptedException {
        var started = new CountDownLatch(1);
        var interrupted = new CountDownLatch(1);
        var task = threads.start("sleeper", () -> waitFor(started, interrupted));
        started.await();
        task.stop();
        interrupted.await();
    }

    @Test
    void what_one_task_throws_harms_no_other() {
        threads.start(
                "bad",
                () -> {
                    throw new IllegalArgumentException("thrown on purpose by a test");
                });
        var done = new CountDownLatch(1);
        threads.after(Duration.ZERO, "good", done::countDown);
        eventually("the other ran", () -> done.getCount() == 0);
    }

    @Test
    void close_stops_all_and_nothing_starts_afterwards() throws InterruptedException {
        var started = new CountDownLatch(1);
        var interrupted = new CountDownLatch(1);
        var ran = new AtomicBoolean();
        threads.start("sleeper", () -> waitFor(started, interrupted));
        threads.after(Duration.ofSeconds(1), "never", () -> ran.set(true));
        started.await();
        threads.close();
        interrupted.await();
        clock.advance(Duration.ofSeconds(2));
        assertThatThrownBy(() -> threads.start("more", () -> ran.set(true)))
                .hasMessageContaining("'more' cannot be started: test was closed");
        assertThatThrownBy(() -> threads.after(Duration.ZERO, "more", () -> ran.set(true)))
                .hasMessageContaining("test was closed");
        eventually("all is quiet", () -> threads.size() == 0);
        assertThat(ran).isFalse();
    }

    @Test
    void the_machines_clock_wakes_what_waits() {
        try (var real = new Threads("real")) {
            var done = new CountDownLatch(1);
            real.after(Duration.ofMillis(5), "soon", done::countDown);
            eventually("it ran", () -> done.getCount() == 0);
        }
    }

    private static void waitFor(CountDownLatch started, CountDownLatch interrupted) {
        started.countDown();
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException _) {
            interrupted.countDown();
        }
    }
}
