package org.ibidem.satin;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.ibidem.topology.NodeId;

/// What other processes have said of what they have done, by the last that each has said.
final class Tallies {
    private final Map<NodeId, Tally> last = new HashMap<>();

    /// By site, of those that are gone.
    private final Map<String, Tally> gone = new HashMap<>();

    private final Set<NodeId> asked = new HashSet<>();
    private long number;

    /// These are asked now.
    ///
    /// @return the number of the question
    synchronized long ask(Collection<NodeId> whom) {
        asked.clear();
        asked.addAll(whom);
        return ++number;
    }

    /// Whether a question had this number.
    synchronized boolean mayHaveAsked(long question) {
        return question >= 1 && question <= number;
    }

    /// One has answered.
    synchronized void come(NodeId from, long question, Tally tally) {
        last.put(from, tally);
        if (question == number) {
            asked.remove(from);
            notifyAll();
        }
    }

    /// One answers no more. What it did stays done.
    synchronized void gone(NodeId id) {
        asked.remove(id);
        notifyAll();
        var tally = last.remove(id);
        if (tally != null) {
            gone.merge(tally.site(), tally.of(0, 0, tally.stolen()), Tally::plus);
        }
    }

    /// Waits until all have answered that were asked last, but not longer than that.
    synchronized void await(Duration within) throws InterruptedException {
        long end = System.nanoTime() + within.toNanos();
        for (long left = within.toNanos(); left > 0 && !asked.isEmpty(); ) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
            left = end - System.nanoTime();
        }
    }

    /// By site, together with what this process has done.
    synchronized List<Tally> withOwn(Tally own) {
        var all = new TreeMap<>(gone);
        last.values().forEach(tally -> all.merge(tally.site(), tally, Tally::plus));
        all.merge(own.site(), own, Tally::plus);
        return List.copyOf(all.values());
    }
}
