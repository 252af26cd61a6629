package org.ibidem.satin.rewrite;

import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.IncrementInstruction;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Catch blocks, by place: all that may run from their beginning until control leaves them as it
/// leaves the `try`, which a compiler ends by a jump behind the last of its catch blocks. What
/// jumps elsewhere, or has no such end, makes the region as large as what it may reach.
final class Region {
    private final Listing listing;
    private final List<ExceptionCatch> handlers;
    private final BitSet places = new BitSet();
    private final BitSet ends = new BitSet();

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

    List<ExceptionCatch> handlers() {
        return handlers;
    }

    BitSet places() {
        return places;
    }

    /// The local variables that they read as they find them.
    BitSet reads() {
        Map<Integer, BitSet> live = new HashMap<>();
        boolean more = true;
        while (more) {
            more = false;
            for (int i = places.length() - 1; i >= 0; i = places.previousSetBit(i - 1)) {
                var now = new BitSet();
                for (int next : listing.followers(i)) {
                    now.or(live.getOrDefault(next, new BitSet()));
                }
                switch (listing.at(i)) {
                    case StoreInstruction store -> now.clear(store.slot());
                    case LoadInstruction load -> now.set(load.slot());
                    case IncrementInstruction add -> now.set(add.slot());
                    default -> {}
                }
                more |= !now.equals(live.put(i, now));
            }
        }
        var all = new BitSet();
        for (var handler : handlers) {
            all.or(live.getOrDefault(listing.place(handler.handler()), new BitSet()));
        }
        return all;
    }
}
