package org.ibidem.hub.pools;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.ibidem.registry.PoolEvent.Change;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// The last changes of one pool, numbered from 1 without gap. Older ones are forgotten.
public final class ChangeLog {
    private final @Nullable Entry[] ring;
    private long last;
    private int size;

    /// A change and whom it is for.
    ///
    /// @param change what happened
    /// @param to for these only; null: for all
    public record Entry(Change change, @Nullable Set<NodeId> to) {
        /// Is it for this node?
        public boolean concerns(NodeId id) {
            return to == null || to.contains(id);
        }
    }

    ChangeLog(int most) {
        ring = new Entry[most];
    }

    /// Adds the next change.
    ///
    /// @return the one forgotten for it, or null
    @Nullable Entry add(Entry entry) {
        last++;
        int at = place(last);
        var forgotten = ring[at];
        ring[at] = entry;
        size = Math.min(size + 1, ring.length);
        return forgotten;
    }

    /// Number of the last change; 0: there was none.
    public long last() {
        return last;
    }

    /// Number of the oldest change kept; one more than the last when there is none.
    public long first() {
        return last - size + 1;
    }

    /// Whether all changes after number `seen` are kept; not when it is a number never given.
    public boolean reaches(long seen) {
        return seen >= 0 && seen <= last && last - seen <= size;
    }

    /// The change of this number, which is kept.
    public Entry at(long number) {
        var entry = number < first() || number > last ? null : ring[place(number)];
        if (entry == null) {
            throw new IllegalArgumentException(
                    "change " + number + " is not kept: " + first() + " to " + last + " are");
        }
        return entry;
    }

    /// The changes after number `seen`, the oldest first, at most `count` of them.
    public List<Entry> after(long seen, int count) {
        var entries = new ArrayList<Entry>();
        for (long number = seen + 1; number <= last && entries.size() < count; number++) {
            entries.add(at(number));
        }
        return entries;
    }

    /// Begins after this number, with nothing kept.
    void startAfter(long number) {
        last = number;
    }

    private int place(long number) {
        return (int) (number % ring.length);
    }
}
