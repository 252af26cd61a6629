package org.ibidem.lab.bench.crowd;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.ibidem.registry.PoolEvent;
import org.jspecify.annotations.Nullable;

/// When each node of a process heard of what is looked for. The clock is the machine's, the same in
/// all processes.
final class Arrivals {
    private static final long LIMIT_SECONDS = 60;

    private final Map<String, Search> searches = new ConcurrentHashMap<>();

    /// What is looked for: when it was heard, and how often it is still to be.
    private record Search(ConcurrentLinkedQueue<Long> times, CountDownLatch left) {}

    /// From now on looks for this, to be heard so many times.
    void look(String key, int times) {
        searches.put(key, new Search(new ConcurrentLinkedQueue<>(), new CountDownLatch(times)));
    }

    /// Called with every event of every node.
    void heard(PoolEvent event) {
        var key = key(event);
        var search = key == null ? null : searches.get(key);
        if (search != null) {
            search.times.add(System.nanoTime());
            search.left.countDown();
        }
    }

    /// Waits until it was heard by all, and says when each time.
    String await(String key) throws InterruptedException {
        var search = searches.get(key);
        if (search == null || !search.left.await(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException(
                    key + " was not heard by " + (search == null ? "all" : search.left.getCount()));
        }
        searches.remove(key);
        return search.times.stream().map(String::valueOf).collect(Collectors.joining(" "));
    }

    private static @Nullable String key(PoolEvent event) {
        return switch (event) {
            case PoolEvent.Signalled(_, var signal) -> signal;
            case PoolEvent.Elected(var election, _, _) -> election;
            case PoolEvent.Joined(var member) -> "joined-" + member.id();
            case PoolEvent.Died(var member, _) -> "died-" + member.id();
            default -> null;
        };
    }
}
