package org.ibidem.service;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.ibidem.arbitration.Threads;
import org.ibidem.link.Tasks;

/// Tasks of which those that wait for their time run in the thread of the test that lets it pass,
/// each at its own time: when it has passed, all that was due has run.
final class SteppedTasks implements Tasks, AutoCloseable {
    private final Threads threads = new Threads("test");
    private final Set<Later> waiting = ConcurrentHashMap.newKeySet();
    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5_000_000_000L); // it overflows

    private record Later(long due, Runnable body) {}

    @Override
    public Task start(String name, Runnable body) {
        return threads.start(name, body);
    }

    @Override
    public Task after(Duration delay, String name, Runnable body) {
        var task = new Later(now.get() + delay.toNanos(), body);
        waiting.add(task);
        return () -> waiting.remove(task);
    }

    @Override
    public long nanoTime() {
        return now.get();
    }

    /// Lets time pass.
    void advance(Duration by) {
        long end = now.get() + by.toNanos();
        for (var next = next(end); next.isPresent(); next = next(end)) {
            var task = next.orElseThrow();
            now.set(task.due);
            if (waiting.remove(task)) {
                task.body.run();
            }
        }
        now.set(end);
    }

    /// Stands still for so long, as a process that is stopped; then it does at once what was due.
    void standStill(Duration by) {
        now.addAndGet(by.toNanos());
        for (var task : List.copyOf(waiting)) {
            if (task.due - now.get() <= 0 && waiting.remove(task)) {
                task.body.run();
            }
        }
    }

    private Optional<Later> next(long end) {
        return waiting.stream()
                .filter(task -> task.due - end <= 0)
                .min(Comparator.comparingLong(task -> task.due - end));
    }

    /// How many tasks wait for their time.
    int waiting() {
        return waiting.size();
    }

    /// How many tasks run or wait.
    int size() {
        return waiting.size() + threads.size();
    }

    @Override
    public void close() {
        threads.close();
    }
}
