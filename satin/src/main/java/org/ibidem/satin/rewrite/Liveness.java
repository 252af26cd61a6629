package org.ibidem.satin.rewrite;

import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.IncrementInstruction;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/// Which local variables are live where: those that may be read before they are assigned (Aho, Lam,
/// Sethi, Ullman, 9.2.5). One of two slots is live by both.
final class Liveness {
    private final Map<Integer, BitSet> before = new HashMap<>();

    /// Of a part of a method, as if nothing were read elsewhere.
    Liveness(Listing listing, BitSet places) {
        boolean more = true;
        while (more) {
            more = false;
            for (int i = places.length() - 1; i >= 0; i = places.previousSetBit(i - 1)) {
                more |= visit(listing, i);
            }
        }
    }

    /// Of a whole method.
    static Liveness of(Listing listing) {
        var all = new BitSet();
        all.set(0, listing.size());
        return new Liveness(listing, all);
    }

    private boolean visit(Listing listing, int place) {
        var now = new BitSet();
        for (int next : listing.followers(place)) {
            now.or(at(next));
        }
        switch (listing.at(place)) {
            case StoreInstruction store -> now.andNot(slots(store.slot(), store.typeKind()));
            case LoadInstruction load -> now.or(slots(load.slot(), load.typeKind()));
            case IncrementInstruction add -> now.set(add.slot());
            default -> {}
        }
        return !now.equals(before.put(place, now)) && !now.isEmpty();
    }

    /// The slots of one local variable.
    static BitSet slots(int first, TypeKind kind) {
        var slots = new BitSet();
        slots.set(first, first + kind.slotSize());
        return slots;
    }

    /// Those that are live before this place.
    BitSet at(int place) {
        return before.getOrDefault(place, new BitSet());
    }
}
