package org.ibidem.mpj.device;

import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Queues, one for each context, source and tag: a hash table with open addressing that allocates
/// only for a queue it has not seen lately. Queues that have run empty are dropped when it grows
/// full, so that a program with ever new tags does not fill it.
final class Lanes {
    private static final int SMALLEST = 64;

    private @Nullable Lane[] table = new @Nullable Lane[SMALLEST];
    private int used;

    /// One queue, linked.
    static final class Lane {
        final int context;
        final int source;
        final int tag;
        @Nullable Place head;
        @Nullable Place tail;

        Lane(int context, int source, int tag) {
            this.context = context;
            this.source = source;
            this.tag = tag;
        }

        void add(Place place) {
            place.lane = this;
            place.before = tail;
            if (tail == null) {
                head = place;
            } else {
                tail.after = place;
            }
            tail = place;
        }

        boolean is(int context, int source, int tag) {
            return this.tag == tag && this.source == source && this.context == context;
        }
    }

    /// Where an entry stands in a queue.
    abstract static class Place {
        @Nullable Lane lane;
        @Nullable Place before;
        @Nullable Place after;

        /// What stands there.
        abstract Matcher.Entry entry();

        final void leave() {
            Lane from = lane;
            if (from == null) {
                return;
            }
            if (before == null) {
                from.head = after;
            } else {
                before.after = after;
            }
            if (after == null) {
                from.tail = before;
            } else {
                after.before = before;
            }
            lane = null;
            before = null;
            after = null;
        }
    }

    /// The first in that queue, or null.
    @Nullable Place first(int context, int source, int tag) {
        Lane lane = table[slot(table, context, source, tag)];
        return lane == null ? null : lane.head;
    }

    /// One in that queue of which something holds, or null. It looks from both ends: what is looked
    /// for came last, mostly, or first.
    @SuppressWarnings("ReferenceEquality") // a place is no other
    @Nullable Place search(int context, int source, int tag, Predicate<Place> of) {
        Lane lane = table[slot(table, context, source, tag)];
        Place front = lane == null ? null : lane.head;
        Place back = lane == null ? null : lane.tail;
        while (front != null && back != null) {
            if (of.test(back)) {
                return back;
            }
            if (of.test(front)) {
                return front;
            }
            boolean met = front == back || front.after == back;
            front = met ? null : front.after;
            back = back.before;
        }
        return null;
    }

    void add(Place place, int context, int source, int tag) {
        int slot = slot(table, context, source, tag);
        Lane lane = table[slot];
        if (lane == null) {
            if (2 * ++used > table.length) {
                dropEmpty();
                slot = slot(table, context, source, tag);
                used++;
            }
            lane = new Lane(context, source, tag);
            table[slot] = lane;
        }
        lane.add(place);
    }

    /// Where that queue is, or where it would be.
    private static int slot(@Nullable Lane[] table, int context, int source, int tag) {
        int mask = table.length - 1;
        int slot = hash(context, source, tag) & mask;
        for (Lane lane = table[slot];
                lane != null && !lane.is(context, source, tag);
                lane = table[slot]) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private static int hash(int context, int source, int tag) {
        int hash = (context * 0x9E3779B1 + source) * 0x85EBCA6B + tag;
        hash = (hash ^ (hash >>> 16)) * 0xC2B2AE35;
        return hash ^ (hash >>> 15);
    }

    /// How many queues there is room for.
    int size() {
        return table.length;
    }

    /// Tells of all that wait.
    void each(Consumer<Place> of) {
        for (Lane lane : table) {
            for (Place place = lane == null ? null : lane.head;
                    place != null;
                    place = place.after) {
                of.accept(place);
            }
        }
    }

    private void dropEmpty() {
        int full = 0;
        for (Lane lane : table) {
            full += lane != null && lane.head != null ? 1 : 0;
        }
        int size = Math.max(SMALLEST, Integer.highestOneBit(Math.max(1, full)) * 8);
        @Nullable Lane[] kept = new @Nullable Lane[size];
        for (Lane lane : table) {
            if (lane != null && lane.head != null) {
                kept[slot(kept, lane.context, lane.source, lane.tag)] = lane;
            }
        }
        table = kept;
        used = full;
    }
}
