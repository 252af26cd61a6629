package org.ibidem.hub;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import org.ibidem.registry.PoolEvent.Change;

/// The last changes of one pool, numbered from 1 without gap. Older ones are forgotten.
final class ChangeLog {
    private final int most;
    private final ArrayDeque<Change> kept = new ArrayDeque<>();
    private long last;

    ChangeLog(int most) {
        this.most = most;
    }

    void add(Change change) {
        if (kept.size() == most) {
            kept.removeFirst();
        }
        kept.addLast(change);
        last++;
    }

    /// Number of the last change; 0: there was none.
    long last() {
        return last;
    }

    /// The changes after number `seen`, the oldest first, at most `count`; none when some of them
    /// are forgotten, or when `seen` is a number that was never given.
    Optional<List<Change>> after(long seen, int count) {
        long missing = last - seen;
        if (seen < 0 || missing < 0 || missing > kept.size()) {
            return Optional.empty();
        }
        return Optional.of(kept.stream().skip(kept.size() - missing).limit(count).toList());
    }
}
