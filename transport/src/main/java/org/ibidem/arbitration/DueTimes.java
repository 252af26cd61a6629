package org.ibidem.arbitration;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What waits for its time, the first due first: a binary heap in which each entry knows its place,
/// so that it is moved and taken out without being looked for, and nothing is allocated for it.
///
/// @param <E> what waits
final class DueTimes<E extends DueTimes.Entry> {
    private final List<E> heap = new ArrayList<>();

    /// One that may wait here.
    abstract static class Entry {
        private long due;
        private int place = -1;
    }

    /// It is due then, whatever was said before.
    void put(E entry, long due) {
        Entry it = entry;
        it.due = due;
        if (it.place < 0) {
            it.place = heap.size();
            heap.add(entry);
        }
        settle(entry);
    }

    /// It waits no longer.
    void remove(E entry) {
        Entry it = entry;
        int place = it.place;
        if (place >= 0) {
            it.place = -1;
            var last = heap.removeLast();
            if (place < heap.size()) {
                set(place, last);
                settle(last);
            }
        }
    }

    /// The first, if it is due.
    @Nullable E due(long now) {
        return left(now) <= 0 ? heap.getFirst() : null;
    }

    /// Nanoseconds until the first is due, or [Long#MAX_VALUE].
    long left(long now) {
        return heap.isEmpty() ? Long.MAX_VALUE : due(heap.getFirst()) - now;
    }

    private void settle(E entry) {
        int place = place(entry);
        while (place > 0 && isBefore(entry, heap.get((place - 1) / 2))) {
            place = fill(place, (place - 1) / 2);
        }
        for (int child = first(place); child < heap.size(); child = first(place)) {
            if (!isBefore(heap.get(child), entry)) {
                break;
            }
            place = fill(place, child);
        }
        set(place, entry);
    }

    /// The child of this place that is due first.
    private int first(int place) {
        int child = 2 * place + 1;
        return child + 1 < heap.size() && isBefore(heap.get(child + 1), heap.get(child))
                ? child + 1
                : child;
    }

    /// @return the place that is free then
    private int fill(int place, int from) {
        set(place, heap.get(from));
        return from;
    }

    private void set(int place, E entry) {
        heap.set(place, entry);
        Entry it = entry;
        it.place = place;
    }

    private static int place(Entry it) {
        return it.place;
    }

    private static long due(Entry it) {
        return it.due;
    }

    // Differences, not values: the clock may start anywhere and overflow.
    private static boolean isBefore(Entry one, Entry other) {
        return one.due - other.due < 0;
    }
}
