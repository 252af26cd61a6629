package org.ibidem.satin.rewrite;

import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ConstantDescs;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Catch blocks, by place: all that may run from their beginning until control leaves them as it
/// leaves the `try`, which a compiler ends by a jump behind the last of its catch blocks. What
/// jumps elsewhere, or has no such end, makes the region as large as what it may reach.
final class Region {
    private final Listing listing;
    private final List<ExceptionCatch> handlers;
    private final BitSet places = new BitSet();
    private final BitSet ends = new BitSet();
    private @Nullable Liveness live;

    /// @param handlers theirs
    /// @param without what catches elsewhere what they throw
    Region(Listing listing, List<ExceptionCatch> handlers, List<ExceptionCatch> without) {
        this.listing = listing;
        this.handlers = List.copyOf(handlers);
        var work = new ArrayDeque<Integer>();
        for (var handler : handlers) {
            work.add(listing.place(handler.handler()));
            int last = listing.instruction(listing.place(handler.tryEnd()));
            if (last < listing.size()
                    && listing.at(last) instanceof BranchInstruction jump
                    && (jump.opcode() == Opcode.GOTO || jump.opcode() == Opcode.GOTO_W)) {
                ends.set(listing.place(jump.target()));
            }
        }
        while (!work.isEmpty()) {
            int place = work.remove();
            if (place < listing.size() && !ends.get(place) && !places.get(place)) {
                places.set(place);
                work.addAll(listing.followers(place, without));
            }
        }
    }

    BitSet places() {
        return places;
    }

    /// Where control goes on after the `try`.
    BitSet ends() {
        return ends;
    }

    /// Where they begin.
    List<Integer> entries() {
        return handlers.stream().map(handler -> listing.place(handler.handler())).toList();
    }

    /// Whether they close what a `try` with resources has opened: they note with what they were
    /// thrown what closing throws (JLS 14.20.3.1).
    boolean closes() {
        return handlers.stream()
                        .flatMap(handler -> handler.catchType().stream())
                        .anyMatch(type -> type.asSymbol().equals(ConstantDescs.CD_Throwable))
                && places.stream()
                        .mapToObj(listing::at)
                        .anyMatch(element ->
                                element instanceof InvokeInstruction call
                                        && call.name().equalsString("addSuppressed"));
    }

    /// The slots of the local variables that they read as they find them.
    BitSet reads() {
        var all = new BitSet();
        entries().forEach(entry -> all.or(reads(entry)));
        return all;
    }

    /// The same for those that begin at this place.
    BitSet reads(int entry) {
        if (live == null) {
            live = new Liveness(listing, places);
        }
        return live.at(entry);
    }
}
