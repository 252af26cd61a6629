package org.ibidem.satin.rewrite;

import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.ReturnInstruction;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Which local variables the copy of a call's catch blocks for one sync shares with its method, and
/// which are its own. A compiler gives the slots of a block's variables to others after the block,
/// and those may be in use at the sync.
///
/// Shared are [the webs][Webs] that have what a block finds when it begins, or that leave what is
/// read after the sync and was not assigned meanwhile. All others are the copy's own.
final class InletLocals {
    private final Listing listing;
    private final Site site;
    private final int sync;
    private final List<ExceptionCatch> outside;
    private final Region region;
    private final Definitions definitions;
    private final Set<Integer> shared = new HashSet<>();
    private final Set<Integer> lost = new HashSet<>();

    /// What the method does later.
    ///
    /// @param live of the whole method
    /// @param needed slots that are read after the sync, or by one of its inlets
    /// @param since what was assigned since the call was spawned
    /// @param returns what a `return` in the blocks ends
    record Later(Liveness live, BitSet needed, Since since, Returns returns) {}

    /// @param outside what catches around the sync and is not copied
    InletLocals(Listing listing, Site site, int sync, List<ExceptionCatch> outside) {
        this.listing = listing;
        this.site = site;
        this.sync = sync;
        this.outside = outside;
        var inlets = site.around().stream().filter(one -> !outside.contains(one)).toList();
        this.region = new Region(listing, inlets, outside);
        this.definitions =
                new Definitions(listing, region.entries(), place -> region.places().get(place));
    }

    /// What is copied.
    Region region() {
        return region;
    }

    /// The places in the copy that assign or read local variables of its own.
    ///
    /// @throws Unfit when a variable would have to be shared on some ways only
    BitSet own(Later later) {
        var places = region.places();
        places.stream()
                .forEach(place -> {
                    if (listing.at(place) instanceof ReturnInstruction) {
                        leave(place, returned(later), later.since());
                    }
                    listing.followers(place, listing.around(place)).stream()
                            .filter(next -> !places.get(next))
                            .forEach(next ->
                                    leave(
                                            place,
                                            both(later.live().at(next), later.needed()),
                                            later.since()));
                    if (listing.mayThrow(place)) {
                        listing.around(place).stream()
                                .filter(outside::contains)
                                .map(handler -> later.live().at(listing.place(handler.handler())))
                                .forEach(read ->
                                        read.stream().forEach(slot -> add(shared, place, slot)));
                    }
                });
        var webs = new Webs(listing, definitions, places);
        var all = new HashSet<>(Set.of(webs.found()));
        shared.forEach(one -> all.add(webs.of(one)));
        if (lost.stream().anyMatch(one -> all.contains(webs.of(one)))) {
            throw unfit();
        }
        return webs.without(all);
    }

    private static BitSet both(BitSet one, BitSet other) {
        var both = (BitSet) one.clone();
        both.and(other);
        return both;
    }

    /// A `return` that ends the inlet only leaves what is in scope around the `try`, which the
    /// compiler need not keep.
    private BitSet returned(Later later) {
        if (later.returns() == Returns.METHOD) {
            return new BitSet();
        }
        if (Collections.disjoint(listing.around(sync), site.around())) {
            return later.needed();
        }
        var scope = new BitSet();
        scope.set(0, Math.max(1, later.needed().length()));
        site.around().forEach(handler -> scope.and(listing.inScope(handler.handler())));
        region.ends().stream().forEach(end -> scope.or(later.live().at(end)));
        return both(scope, later.needed());
    }

    private void leave(int place, BitSet read, Since since) {
        read.stream()
                .forEach(slot -> {
                    if (!since.lost.get(slot)) {
                        add(shared, place, slot);
                    } else if (since.surelyLost.get(slot)) {
                        add(lost, place, slot);
                    } else if (add(lost, place, slot)) {
                        throw unfit();
                    }
                });
    }

    private boolean add(Set<Integer> to, int place, int slot) {
        var all =
                definitions.behind(place, slot).stream()
                        .filter(one -> one != Definitions.EARLIER)
                        .toList();
        to.addAll(all);
        return !all.isEmpty();
    }

    private Unfit unfit() {
        return new Unfit(
                site.place(),
                "the catch block around it assigns a variable that is assigned on some ways before"
                        + " the sync");
    }
}
