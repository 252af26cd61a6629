package org.ibidem.satin.rewrite;

import java.lang.classfile.CodeElement;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.IncrementInstruction;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What is under way at each place of a method: which spawned calls may not have been synced, and
/// of those whose result goes to a local variable, whether the variable still waits for it or was
/// assigned something else since. A forward analysis over all ways that control may take.
///
/// Where the program reads a variable that waits, a sync is put in: a compiler would have let it
/// read the result there.
final class Flow {
    private final Listing listing;
    private final Spawning spawning;
    private final List<Site> sites;
    private final Map<Integer, Site> stores = new HashMap<>();
    private final Map<Integer, Region> regions = new HashMap<>();
    private final Set<Integer> added = new HashSet<>();
    private final Set<Site> kept = new HashSet<>();
    private final Map<Integer, Map<Site, BitSet>> own = new HashMap<>();
    private final Liveness live;
    private @Nullable Definitions definitions;
    private @Nullable StackDepths depths;
    private @Nullable State[] states;

    /// At one place; by the index of a site.
    private static final class State {
        final BitSet open = new BitSet();
        final BitSet waiting = new BitSet();
        final BitSet overtaken = new BitSet();

        /// Local variables that have a value, on all ways.
        final BitSet assigned = new BitSet();

        final Values values = new Values();

        /// Of each site that is open.
        final Map<Integer, Since> since = new HashMap<>();

        State copy() {
            var copy = new State();
            copy.assigned.or(assigned);
            copy.merge(this);
            return copy;
        }

        boolean merge(State other) {
            int before = size();
            open.or(other.open);
            waiting.or(other.waiting);
            overtaken.or(other.overtaken);
            other.since.forEach(
                    (site, more) -> since.computeIfAbsent(site, _ -> more.copy()).merge(more));
            int less = assigned.cardinality();
            assigned.and(other.assigned);
            boolean more = values.merge(other.values);
            return more || size() > before || assigned.cardinality() < less;
        }

        private int size() {
            return open.cardinality()
                    + waiting.cardinality()
                    + overtaken.cardinality()
                    + since.values().stream().mapToInt(Since::size).sum();
        }

        void clear() {
            open.clear();
            waiting.clear();
            overtaken.clear();
            since.clear();
        }
    }

    Flow(Spawning spawning) {
        this.listing = spawning.listing();
        this.spawning = spawning;
        this.sites = List.copyOf(spawning.sites().values());
        this.live = Liveness.of(listing);
        spawning.sites()
                .forEach((place, site) -> {
                    for (int i = place; site.isLocal() && i < listing.size(); i++) {
                        if (listing.at(i) == site.store()) {
                            stores.put(i, site);
                            break;
                        }
                    }
                });
        for (int i = 0; i < sites.size(); i++) {
            if (sites.get(i).isInTry()) {
                regions.put(i, new Region(listing, sites.get(i).around(), List.of()));
            }
        }
        this.states = new State[0];
        do {
            solve();
        } while (addSyncs());
        check();
        stores.forEach(this::keep);
    }

    /// Whether a sync has to be put in front of this place.
    boolean syncsBefore(int place) {
        return added.contains(place);
    }

    /// Whether anything may be under way at this place.
    boolean isOpen(int place) {
        var state = states[place];
        return state != null && !state.open.isEmpty();
    }

    /// Whether the variable of a call keeps what it holds when the call is spawned, and so when the
    /// call fails; else it is given some value, which nobody reads.
    boolean keeps(Site site) {
        return kept.contains(site);
    }

    /// The sites whose results are to be put into their variables by a sync at this place.
    List<Site> delivered(int place) {
        var state = states[place];
        return state == null
                ? List.of()
                : state.waiting.stream()
                        .filter(site -> !state.overtaken.get(site) || isLive(site, place))
                        .mapToObj(sites::get)
                        .toList();
    }

    private boolean isLive(int site, int place) {
        return live.at(place)
                .intersects(Liveness.slots(sites.get(site).slot(), sites.get(site).kind()));
    }

    /// The calls that may be open at this place and whose inlets a sync there runs; none: it runs
    /// no inlets. With those that are in the same `try` as the sync itself, when others are not, or
    /// when a `return` ends the inlet only.
    List<Site> inlets(int place) {
        var all = open(place).filter(Site::isInTry).toList();
        if (spawning.returns() == Returns.INLET) {
            return all;
        }
        var here = Set.copyOf(listing.around(place));
        return all.stream().allMatch(site -> here.containsAll(site.around())) ? List.of() : all;
    }

    /// The places in the catch blocks around a call that assign or read variables which the copy of
    /// them for a sync has for itself.
    BitSet own(Site site, int sync) {
        return own.getOrDefault(sync, Map.of()).getOrDefault(site, new BitSet());
    }

    /// The calls that may be under way at this place.
    Stream<Site> open(int place) {
        var state = states[place];
        return state == null ? Stream.empty() : state.open.stream().mapToObj(sites::get);
    }

    private void solve() {
        states = new State[listing.size() + 1];
        var first = new State();
        spawning.parameters()
                .forEach((slot, type) -> {
                    first.assigned.or(Liveness.slots(slot, TypeKind.from(type)));
                    first.values.set(slot, type.descriptorString());
                });
        states[0] = first;
        var work = new ArrayDeque<Integer>();
        work.add(0);
        while (!work.isEmpty()) {
            int place = work.remove();
            if (place == listing.size()) {
                continue;
            }
            var before = states[place];
            if (before == null) {
                continue;
            }
            var after = after(place, before);
            for (int next : listing.followers(place)) {
                var there = states[next];
                if (there == null) {
                    states[next] = after.copy();
                    work.add(next);
                } else if (there.merge(after)) {
                    work.add(next);
                }
            }
        }
    }

    private State after(int place, State before) {
        var after = before.copy();
        if (added.contains(place) || spawning.isSync(place)) {
            after.clear();
        }
        var site = spawning.sites().get(place);
        if (site != null) {
            spawn(after, sites.indexOf(site));
        }
        switch (listing.at(place)) {
            case StoreInstruction store -> store(after, place, store.slot(), store.typeKind());
            case IncrementInstruction add -> store(after, place, add.slot(), TypeKind.INT);
            default -> {}
        }
        return after;
    }

    private void spawn(State state, int index) {
        var site = sites.get(index);
        var since = state.since.computeIfAbsent(index, _ -> new Since());
        since.surelyLost.clear(); // Not since the newest of its calls.
        if (state.open.get(index) && site.isLocal() && spawning.returns() == Returns.METHOD) {
            // Another of its calls may succeed, and assign its variable last.
            since.lost.or(Liveness.slots(site.slot(), site.kind()));
        }
        state.open.set(index);
    }

    private void store(State state, int place, int slot, TypeKind kind) {
        var slots = Liveness.slots(slot, kind);
        state.assigned.or(slots);
        state.values.store(listing, place);
        var stored = stores.get(place);
        boolean inInlet = regions.values().stream().anyMatch(one -> one.places().get(place));
        for (int i = state.open.nextSetBit(0); i >= 0; i = state.open.nextSetBit(i + 1)) {
            var region = regions.get(i);
            if (region != null && !region.places().get(place)) {
                var since = state.since.computeIfAbsent(i, _ -> new Since());
                since.assigned.or(slots);
                if (!inInlet && !sites.get(i).equals(stored)) {
                    since.lose(slots);
                }
            }
        }
        for (int i = 0; i < sites.size(); i++) {
            if (sites.get(i).equals(stored)) {
                state.waiting.set(i);
            } else if (state.waiting.get(i)
                    && sites.get(i).overlaps(slot, kind)
                    && (stored == null || !stored.agrees(sites.get(i)))) {
                // Those that agree are delivered in the order of spawning: the last one stays.
                state.waiting.clear(i);
                state.overtaken.set(i);
            }
        }
    }

    private boolean addSyncs() {
        boolean more = false;
        for (int i = 0; i < listing.size(); i++) {
            var state = states[i];
            if (state != null && reads(listing.at(i), state)) {
                more |= added.add(i);
            }
        }
        return more;
    }

    private boolean reads(CodeElement element, State state) {
        return switch (element) {
            case LoadInstruction load -> waits(state, load.slot(), load.typeKind());
            case IncrementInstruction add -> waits(state, add.slot(), TypeKind.INT);
            default -> false;
        };
    }

    private boolean waits(State state, int slot, TypeKind kind) {
        return state.waiting.stream().anyMatch(i -> sites.get(i).overlaps(slot, kind));
    }

    private void unfitInTry(State state) {
        state.waiting.stream()
                .filter(state.overtaken::get)
                .mapToObj(sites::get)
                .filter(Site::isInTry)
                .forEach(site -> {
                    throw new Unfit(
                            site.place(),
                            "it is inside a try, and its variable is assigned something else on"
                                    + " some ways before the sync");
                });
    }

    private void checkInlet(Site site, int sync, State state) {
        var region = Objects.requireNonNull(regions.get(sites.indexOf(site)));
        if (added.contains(sync)) {
            throw new Unfit(
                    site.place(),
                    "it is inside a try, and a result is used before there is a sync");
        }
        if (added.stream().anyMatch(region.places()::get)) {
            throw new Unfit(site.place(), "the catch block around it uses a spawned call's result");
        }
        if (depths().at(sync) > 1 && spawning.isSync(sync)) {
            throw new Unfit(
                    site.place(),
                    "it is inside a try, and its sync is inside an expression"
                            + spawning.line(sync));
        }
        var since = state.since.getOrDefault(sites.indexOf(site), new Since());
        var locals = new InletLocals(listing, site, sync, outside(sync));
        if (region.reads().intersects(since.assigned) || !finds(locals.region(), sync, state)) {
            throw new Unfit(
                    site.place(),
                    "the catch block around it uses a variable that is assigned, or gone, before"
                            + " the sync"
                            + spawning.line(sync));
        }
        if (locals.region().closes()) {
            throw new Unfit(site.place(), "it is inside a try with resources, and its sync is not");
        }
        var needed = (BitSet) live.at(sync).clone();
        inlets(sync).stream()
                .map(one -> Objects.requireNonNull(regions.get(sites.indexOf(one))))
                .forEach(one -> needed.or(one.reads()));
        var all = since.copy();
        all.lost.or(delivered(state, site));
        var later = new InletLocals.Later(live, needed, all, spawning.returns());
        own.computeIfAbsent(sync, _ -> new HashMap<>()).put(site, locals.own(later));
    }

    /// The slots that other calls' results may go to after the inlets have run. Where a `return`
    /// ends an inlet only, a program knows of no order.
    private BitSet delivered(State state, Site but) {
        var slots = new BitSet();
        state.waiting.stream()
                .mapToObj(sites::get)
                .filter(one -> !one.equals(but) && spawning.returns() == Returns.METHOD)
                .forEach(one -> slots.or(Liveness.slots(one.slot(), one.kind())));
        return slots;
    }

    /// Whether what these catch blocks read as they find it is there at a sync: assigned on all
    /// ways, and of the kind it is of around them, which the verifier must see.
    private boolean finds(Region region, int sync, State state) {
        return region.entries().stream()
                .allMatch(entry ->
                        region.reads(entry).stream()
                                .allMatch(slot -> {
                                    var other = new HashSet<>(definitions().at(sync, slot));
                                    other.removeAll(definitions().at(entry, slot));
                                    other.removeIf(region.places()::get);
                                    return state.assigned.get(slot)
                                            && (other.isEmpty() || state.values.isKnown(slot));
                                }));
    }

    private Definitions definitions() {
        if (definitions == null) {
            definitions = new Definitions(listing, List.of(0), _ -> true);
        }
        return definitions;
    }

    private StackDepths depths() {
        if (depths == null) {
            depths = new StackDepths(listing);
        }
        return depths;
    }

    /// What catches around a sync, and what is thrown for an inlet is thrown to.
    List<ExceptionCatch> outside(int sync) {
        return spawning.returns() == Returns.INLET ? List.of() : listing.around(sync);
    }

    private void keep(int place, Site site) {
        var state = states[place];
        if (state == null || !state.assigned.get(site.slot())) {
            return;
        }
        if (state.values.mayStay(listing, place, site.slot())) {
            kept.add(site);
        } else if (site.isInTry() && state.values.isOther(listing, place, site.slot())) {
            throw new Unfit(
                    site.place(),
                    "it is inside a try, and what its variable held before might have to stay");
        }
    }

    private void check() {
        for (int i = 0; i < listing.size(); i++) {
            int place = i;
            var state = states[i];
            boolean syncs =
                    added.contains(i)
                            || spawning.isSync(i)
                            || listing.at(i) instanceof ReturnInstruction;
            if (!syncs || state == null || state.open.isEmpty()) {
                continue;
            }
            for (var site : inlets(i)) {
                checkInlet(site, i, state);
            }
            var here = listing.around(i);
            if (!open(i).allMatch(site -> Set.copyOf(site.around()).containsAll(here))) {
                throw new Refused(
                        spawning.where(i)
                                + ": a sync (or a return, or the use of a result) inside a try or"
                                + " synchronized, for calls that were spawned outside: what they"
                                + " throw would be caught here; sync before it");
            }
            if (state.waiting.stream()
                    .anyMatch(one -> state.overtaken.get(one) && isLive(one, place))) {
                unfitInTry(state);
                throw new Refused(
                        spawning.where(i)
                                + ": a variable is assigned a spawned call's result, and something"
                                + " else on some of the ways from there to this sync; sync before"
                                + " that, or use another variable");
            }
        }
    }
}
