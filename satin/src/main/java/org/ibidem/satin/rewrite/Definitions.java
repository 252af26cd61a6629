package org.ibidem.satin.rewrite;

import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.IncrementInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/// Which assignments of local variables reach a place: its reaching definitions (Aho, Lam, Sethi,
/// Ullman, 9.2.4). An assignment is called by its place; [#EARLIER] is what a variable has where
/// the analysis begins.
final class Definitions {
    /// Assigned before the first place, or not at all.
    static final int EARLIER = -1;

    private final Listing listing;

    /// By place and slot: places of assignments, each plus 1. A slot that is not there has
    /// [#EARLIER] alone. Maps are shared and never changed.
    private final Map<Integer, Map<Integer, BitSet>> before = new HashMap<>();

    /// @param from where the analysis begins
    /// @param places where it goes on
    Definitions(Listing listing, Collection<Integer> from, IntPredicate places) {
        this.listing = listing;
        var work = new ArrayDeque<Integer>();
        for (int place : from) {
            merge(place, Map.of());
            work.add(place);
        }
        while (!work.isEmpty()) {
            int place = work.remove();
            if (place == listing.size() || !places.test(place)) {
                continue;
            }
            var after = after(place);
            for (int next : listing.followers(place)) {
                if (merge(next, after)) {
                    work.add(next);
                }
            }
        }
    }

    private boolean merge(int place, Map<Integer, BitSet> more) {
        var there = before.putIfAbsent(place, more);
        if (there == null) {
            return true;
        }
        if (there.equals(more)) {
            return false;
        }
        var both = new HashMap<>(there);
        more.forEach((slot, _) -> both.put(slot, or(there.get(slot), more.get(slot))));
        there.forEach((slot, _) -> both.put(slot, or(there.get(slot), more.get(slot))));
        if (both.equals(there)) {
            return false;
        }
        before.put(place, both);
        return true;
    }

    private static BitSet or(@Nullable BitSet one, @Nullable BitSet other) {
        var both = new BitSet();
        both.or(one == null ? only(EARLIER) : one);
        both.or(other == null ? only(EARLIER) : other);
        return both;
    }

    private static BitSet only(int definition) {
        var one = new BitSet();
        one.set(definition + 1);
        return one;
    }

    private Map<Integer, BitSet> after(int place) {
        var now = before.getOrDefault(place, Map.of());
        return switch (listing.at(place)) {
            case StoreInstruction store -> assigned(now, place, store.slot(), store.typeKind());
            case IncrementInstruction add -> assigned(now, place, add.slot(), TypeKind.INT);
            default -> now;
        };
    }

    private static Map<Integer, BitSet> assigned(
            Map<Integer, BitSet> before, int place, int slot, TypeKind kind) {
        var after = new HashMap<>(before);
        for (int i = slot; i < slot + kind.slotSize(); i++) {
            after.put(i, only(place));
        }
        return after;
    }

    /// What reaches a place, by the places of the assignments.
    Collection<Integer> at(int place, int slot) {
        return places(before.getOrDefault(place, Map.of()), slot);
    }

    /// What leaves it.
    Collection<Integer> behind(int place, int slot) {
        return places(after(place), slot);
    }

    private static Collection<Integer> places(Map<Integer, BitSet> all, int slot) {
        return all.getOrDefault(slot, only(EARLIER)).stream().mapToObj(i -> i - 1).toList();
    }
}
