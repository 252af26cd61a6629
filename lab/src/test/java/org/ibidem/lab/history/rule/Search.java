package org.ibidem.lab.history.rule;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import org.ibidem.lab.history.Call;

/// Looks for an order of calls that one thing could have done one after the other, each between its
/// beginning and its end: linearizability (Herlihy and Wing, 1990), by the search of Wing and Gong
/// (1993) with the memory of what was tried of Lowe (2017), as Porcupine does it. Calls of which
/// nobody knows whether they were done have no end and may be left out.
///
/// Of calls with the same effect that could come next only the one that ends first is tried: it can
/// change places with any other one.
final class Search<S> {
    /// Steps after which it gives up.
    private static final int MOST_STEPS = 5_000_000;

    private final Model<S> model;
    private final List<Call> calls;
    private final Set<Tried<S>> tried = new HashSet<>();
    private final BitSet done = new BitSet();
    private final ArrayDeque<Step<S>> steps = new ArrayDeque<>();
    private S state;
    private int deepest;
    private String obstacle = "";

    /// What it has found.
    enum Found {
        /// There is such an order.
        YES,

        /// There is none.
        NO,

        /// It has taken too long.
        UNKNOWN
    }

    private record Tried<T>(BitSet done, T state) {}

    private record Step<T>(int call, T before, ArrayDeque<Integer> others) {}

    Search(Model<S> model, List<Call> calls) {
        this.model = model;
        this.calls = calls.stream().sorted(Comparator.comparingLong(Call::invoked)).toList();
        this.state = model.first();
    }

    Found run() {
        var next = candidates();
        for (int count = 0; count < MOST_STEPS; count++) {
            if (allKnownAreDone()) {
                return Found.YES;
            }
            note(next);
            while (next.isEmpty()) {
                if (steps.isEmpty()) {
                    return Found.NO;
                }
                next = takeBack();
            }
            next = take(next);
        }
        return Found.UNKNOWN;
    }

    /// For people: the calls that could not be put anywhere after the longest order found.
    String obstacle() {
        return obstacle;
    }

    private void note(ArrayDeque<Integer> next) {
        if (next.isEmpty() && steps.size() >= deepest) {
            deepest = steps.size();
            var open = new ArrayList<String>();
            for (int i : waiting()) {
                if (open.size() < 6) {
                    open.add(calls.get(i).toString());
                }
            }
            obstacle =
                    "after " + deepest + " calls, in state " + state + ", none of these: " + open;
        }
    }

    private boolean allKnownAreDone() {
        for (int i = done.nextClearBit(0); i < calls.size(); i = done.nextClearBit(i + 1)) {
            if (calls.get(i).ok()) {
                return false;
            }
        }
        return true;
    }

    private ArrayDeque<Integer> take(ArrayDeque<Integer> from) {
        int call = from.removeFirst();
        var after = model.after(state, calls.get(call));
        if (after == null) {
            return from;
        }
        done.set(call);
        if (!tried.add(new Tried<>((BitSet) done.clone(), after))) {
            done.clear(call);
            return from;
        }
        steps.push(new Step<>(call, state, from));
        state = after;
        return candidates();
    }

    private ArrayDeque<Integer> takeBack() {
        var step = steps.pop();
        done.clear(step.call());
        state = step.before();
        return step.others();
    }

    /// Calls that began before any that is not done ended.
    private List<Integer> waiting() {
        var open = new ArrayList<Integer>();
        long end = Call.NEVER;
        for (int i = done.nextClearBit(0); i < calls.size(); i = done.nextClearBit(i + 1)) {
            if (calls.get(i).invoked() > end) {
                break;
            }
            open.add(i);
            end = Math.min(end, calls.get(i).ok() ? calls.get(i).ended() : Call.NEVER);
        }
        return open;
    }

    private ArrayDeque<Integer> candidates() {
        var byEffect = new LinkedHashMap<Object, Integer>();
        for (int i : waiting()) {
            byEffect.merge(
                    model.effect(calls.get(i)),
                    i,
                    (a, b) -> calls.get(b).ended() < calls.get(a).ended() ? b : a);
        }
        var next = new ArrayDeque<Integer>();
        // Those first of which is known that they were done.
        byEffect.values().stream()
                .sorted(
                        Comparator.comparing((Integer i) -> !calls.get(i).ok())
                                .thenComparingLong(i -> calls.get(i).ended()))
                .forEach(next::add);
        return next;
    }
}
