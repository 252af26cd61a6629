package org.ibidem.hub.pools;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ibidem.registry.Member;
import org.ibidem.registry.PoolEvent;
import org.ibidem.registry.PoolEvent.Change;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// What a run of changes comes to: who joined and was gone again within it is left out, so are
/// suspicions that are over, and results of elections that have a later one. Applied to what was
/// known before the run, the rest leads to what is known after all of it.
public final class Merge {
    private static final int NONE = -1;

    private final List<Change> run;
    private final BitSet dropped = new BitSet();
    private final Map<NodeId, Fate> fates = new HashMap<>();
    private final Map<String, Integer> results = new HashMap<>();

    /// Where in the run the last word on a member is, as far as it was looked at.
    private static final class Fate {
        int joined = NONE;
        int suspicion = NONE;
    }

    private Merge(List<Change> run) {
        this.run = run;
    }

    /// Merges a run of changes.
    public static List<Change> of(List<Change> run) {
        var merge = new Merge(run);
        for (int i = 0; i < run.size(); i++) {
            merge.look(i);
        }
        var kept = new ArrayList<Change>(run.size());
        for (int i = 0; i < run.size(); i++) {
            if (!merge.dropped.get(i)) {
                kept.add(run.get(i));
            }
        }
        return kept;
    }

    private void look(int i) {
        switch (run.get(i)) {
            case PoolEvent.Joined(var member) -> fate(member).joined = i;
            case PoolEvent.Left(var member) -> departed(i, fates.remove(member.id()));
            case PoolEvent.Died(var member, _) -> departed(i, fates.remove(member.id()));
            case PoolEvent.Suspected(var member, _) -> suspicion(i, fate(member));
            case PoolEvent.Restored(var member) -> suspicion(i, fate(member));
            case PoolEvent.Elected(var election, _, _) -> result(i, election);
            case PoolEvent.Vacated(var election, _) -> result(i, election);
            case PoolEvent.Closed _, PoolEvent.Terminated _, PoolEvent.Signalled _ -> {
                // stays as it is
            }
        }
    }

    private Fate fate(Member member) {
        return fates.computeIfAbsent(member.id(), _ -> new Fate());
    }

    // Both kinds take turns, so two of them cancel out.
    private void suspicion(int i, Fate fate) {
        if (fate.suspicion == NONE) {
            fate.suspicion = i;
        } else {
            drop(fate.suspicion);
            drop(i);
            fate.suspicion = NONE;
        }
    }

    private void departed(int i, @Nullable Fate fate) {
        if (fate != null) {
            drop(fate.suspicion);
            if (fate.joined != NONE) {
                drop(fate.joined);
                drop(i);
            }
        }
    }

    private void result(int i, String election) {
        var before = results.put(election, i);
        if (before != null) {
            drop(before);
        }
    }

    private void drop(int i) {
        if (i != NONE) {
            dropped.set(i);
        }
    }
}
