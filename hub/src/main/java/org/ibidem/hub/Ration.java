package org.ibidem.hub;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.ibidem.task.Tasks;

/// So many times a minute for each origin. Safe for several threads; bounded: of many origins the
/// one that came first is forgotten.
final class Ration {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final int MOST_ORIGINS = 4096;

    private final int most;
    private final Tasks tasks;
    private final Map<Object, Count> counts = new LinkedHashMap<>();

    /// @param since when the minute began
    private record Count(long since, int taken) {}

    /// @param most within a minute
    Ration(int most, Tasks tasks) {
        this.most = most;
        this.tasks = tasks;
    }

    /// Takes one of this origin's.
    ///
    /// @return false: none is left
    synchronized boolean take(Object origin) {
        long now = tasks.nanoTime();
        var before = counts.remove(origin);
        var count =
                before == null || now - before.since >= MINUTE.toNanos()
                        ? new Count(now, 0)
                        : before;
        boolean may = count.taken < most;
        counts.put(origin, may ? new Count(count.since, count.taken + 1) : count);
        if (counts.size() > MOST_ORIGINS) {
            counts.remove(counts.keySet().iterator().next());
        }
        return may;
    }

    /// What was taken last was not needed.
    synchronized void giveBack(Object origin) {
        counts.computeIfPresent(
                origin, (_, count) -> new Count(count.since, Math.max(0, count.taken - 1)));
    }
}
