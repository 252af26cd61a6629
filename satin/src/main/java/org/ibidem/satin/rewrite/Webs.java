package org.ibidem.satin.rewrite;

import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.IncrementInstruction;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/// Assignments of local variables that are of one variable, whatever its slot: those that reach the
/// same use (Muchnick, 16.3.3). A web is named by one of its assignments, which are named by their
/// places. What slots hold before the first of the places is one web, whichever they are.
final class Webs {
    private final Listing listing;
    private final Definitions definitions;
    private final BitSet places;

    /// From an assignment to another one of its web; none: it names the web.
    private final Map<Integer, Integer> links = new HashMap<>();

    /// @param definitions of these places
    Webs(Listing listing, Definitions definitions, BitSet places) {
        this.listing = listing;
        this.definitions = definitions;
        this.places = places;
        places.stream().forEach(this::join);
    }

    private void join(int place) {
        switch (listing.at(place)) {
            case LoadInstruction load -> use(place, load.slot(), load.typeKind());
            case IncrementInstruction add -> link(place, use(place, add.slot(), TypeKind.INT));
            default -> {}
        }
    }

    private int use(int place, int first, TypeKind kind) {
        int any = reaching(place, first);
        for (int slot = first; slot < first + kind.slotSize(); slot++) {
            definitions.at(place, slot).forEach(one -> link(one, any));
        }
        return any;
    }

    private void link(int one, int other) {
        int web = of(one);
        int with = of(other);
        if (web != with) {
            links.put(web, with);
        }
    }

    /// One of those that reach a place.
    private int reaching(int place, int slot) {
        return definitions.at(place, slot).iterator().next();
    }

    /// The web of an assignment.
    int of(int assignment) {
        int web = assignment;
        while (links.containsKey(web)) {
            web = links.get(web);
        }
        return web;
    }

    /// The one with the uses that find what a slot held before.
    int found() {
        return of(Definitions.EARLIER);
    }

    /// The places that assign or use local variables of all but these webs.
    BitSet without(Set<Integer> others) {
        var all = new BitSet();
        places.stream().filter(place -> isLocal(place, others)).forEach(all::set);
        return all;
    }

    private boolean isLocal(int place, Set<Integer> others) {
        return switch (listing.at(place)) {
            case StoreInstruction _, IncrementInstruction _ -> !others.contains(of(place));
            case LoadInstruction load -> !others.contains(of(reaching(place, load.slot())));
            default -> false;
        };
    }
}
