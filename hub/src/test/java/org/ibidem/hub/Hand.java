package org.ibidem.hub;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.ibidem.link.Tasks;

/// What is started runs when the test says so, and time goes by when it says so.
final class Hand implements Tasks {
    final ArrayDeque<Runnable> ready = new ArrayDeque<>();
    final TreeMap<Long, List<Runnable>> later = new TreeMap<>();
    private long now;

    @Override
    public Task start(String name, Runnable body) {
        ready.add(body);
        return () -> {};
    }

    @Override
    public Task after(Duration delay, String name, Runnable body) {
        later.computeIfAbsent(now + delay.toNanos(), _ -> new ArrayList<>()).add(body);
        return () -> {};
    }

    @Override
    public long nanoTime() {
        return now;
    }

    void run() {
        while (!ready.isEmpty()) {
            ready.remove().run();
        }
    }

    void pass(long nanos) {
        long end = now + nanos;
        run();
        while (!later.isEmpty() && later.firstKey() <= end) {
            var due = later.pollFirstEntry();
            now = due.getKey();
            due.getValue().forEach(Runnable::run);
            run();
        }
        now = end;
    }
}
