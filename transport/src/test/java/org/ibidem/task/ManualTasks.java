package org.ibidem.task;

import java.time.Duration;
import java.util.Comparator;
import java.util.Queue;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Tasks that run in the thread of the test: what is started when the test says so, and timers as
/// it lets time pass, each at its own time. When time has passed, all that was due has run.
public class ManualTasks implements Tasks {
    private static final long BEGIN = Long.MAX_VALUE - 5_000_000_000L; // it overflows

    private final Queue<Runnable> started = new ConcurrentLinkedQueue<>();
    private final TreeSet<Timer> timers = new TreeSet<>();
    private final AtomicLong elapsed = new AtomicLong();
    private long sequence;

    /// @param due nanoseconds after the clock began
    private record Timer(long due, long order, Runnable body) implements Comparable<Timer> {
        private static final Comparator<Timer> ORDER =
                Comparator.comparingLong(Timer::due).thenComparingLong(Timer::order);

        @Override
        public int compareTo(Timer other) {
            return ORDER.compare(this, other);
        }
    }

    @Override
    public Task start(String name, Runnable body) {
        started.add(body);
        return () -> started.remove(body);
    }

    @Override
    public synchronized Task after(Duration delay, String name, Runnable body) {
        var timer = new Timer(elapsed.get() + delay.toNanos(), sequence++, body);
        timers.add(timer);
        return () -> remove(timer);
    }

    @Override
    public long nanoTime() {
        return BEGIN + elapsed.get();
    }

    /// Runs what has been started, and what that starts.
    ///
    /// @return how many tasks have run
    public int run() {
        int count = 0;
        for (var body = started.poll(); body != null; body = started.poll()) {
            body.run();
            count++;
        }
        return count;
    }

    /// Lets time pass.
    public void advance(Duration by) {
        long end = elapsed.get() + by.toNanos();
        run();
        for (var next = takeDue(end); next != null; next = takeDue(end)) {
            elapsed.set(next.due);
            next.body.run();
            run();
        }
        elapsed.set(end);
    }

    /// Stands still for so long, as a process that is stopped; then it does at once what was due.
    public void standStill(Duration by) {
        long end = elapsed.addAndGet(by.toNanos());
        for (var next = takeDue(end); next != null; next = takeDue(end)) {
            next.body.run();
            run();
        }
    }

    private synchronized @Nullable Timer takeDue(long end) {
        return timers.isEmpty() || timers.first().due > end ? null : timers.pollFirst();
    }

    private synchronized void remove(Timer timer) {
        timers.remove(timer);
    }

    /// How many tasks wait for their time.
    public synchronized int waiting() {
        return timers.size();
    }

    /// How many tasks have been started and not run, or wait for their time.
    public int size() {
        return started.size() + waiting();
    }
}
