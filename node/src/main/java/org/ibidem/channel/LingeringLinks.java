package org.ibidem.channel;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.ibidem.task.Tasks;

/// The links of a node that are closed here and still deliver what was handed on to them before: a
/// node that is closed waits for them.
final class LingeringLinks {
    /// What lingers in a link gives up after so long.
    private static final Duration LONGEST = Duration.ofSeconds(10);

    private final Tasks clock;
    private final List<Lingering> all = new ArrayList<>();

    private record Lingering(DataLink link, long until) {}

    LingeringLinks(Tasks clock) {
        this.clock = clock;
    }

    /// This one was just closed.
    void add(DataLink link) {
        if (link.drain(Duration.ZERO)) {
            return;
        }
        long now = clock.nanoTime();
        synchronized (all) {
            all.removeIf(one -> one.until - now <= 0 || one.link.drain(Duration.ZERO));
            all.add(new Lingering(link, now + LONGEST.toNanos()));
        }
    }

    /// Waits until they have delivered everything, or given up.
    ///
    /// @return those that may still deliver something at `deadline`
    List<DataLink> await(long deadline) {
        List<Lingering> waited;
        synchronized (all) {
            waited = List.copyOf(all);
            all.clear();
        }
        return waited.stream()
                .filter(one -> isLate(one.link, earlier(deadline, one.until)))
                .map(Lingering::link)
                .toList();
    }

    // The difference, not the values: the clock may overflow between them.
    private static long earlier(long one, long other) {
        return one - other < 0 ? one : other;
    }

    /// Waits until a link has delivered everything.
    ///
    /// @return false: it has, or it is over before `deadline`
    boolean isLate(DataLink link, long deadline) {
        var left = Duration.ofNanos(Math.max(0, deadline - clock.nanoTime()));
        return !link.drain(left) && deadline - clock.nanoTime() <= 0;
    }
}
