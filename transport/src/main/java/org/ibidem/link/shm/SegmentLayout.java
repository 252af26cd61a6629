package org.ibidem.link.shm;

import java.util.ArrayList;
import java.util.List;
import org.ibidem.buffer.Ring;
import org.ibidem.buffer.RingPlace;
import org.ibidem.buffer.RingPlan;

/// What lies where in a segment: follows from the options, so both ends know it. The file has all
/// places from the beginning, but memory only for the first of each ring; the rest is a hole until
/// a ring is about to move there.
///
/// @param options of the link
/// @param forward the ring from the active to the passive end
/// @param backward the ring the other way
/// @param reserved bytes at the beginning that have memory from the start
/// @param bytes of the whole file
record SegmentLayout(Shm options, RingPlan forward, RingPlan backward, long reserved, long bytes) {
    /// Of the key, and in front of each ring.
    static final int PAGE = 4096;

    /// Each place is so many times larger than the one before.
    private static final int GROWTH = 4;

    private static final int BACKWARD_PART = 4;

    static SegmentLayout of(Shm options) {
        var forward = sizes(options.ring(), options.largest());
        int back = Math.max(Ring.SMALLEST, options.ring() / BACKWARD_PART);
        var backward = sizes(back, options.largest());
        var places = new Places(PAGE);
        long forwardPage = places.take(PAGE).data();
        var forwardPlaces = new ArrayList<>(List.of(places.take(forward.removeFirst())));
        long backwardPage = places.take(PAGE).data();
        var backwardPlaces = new ArrayList<>(List.of(places.take(backward.removeFirst())));
        long reserved = places.end;
        forward.forEach(size -> forwardPlaces.add(places.take(size)));
        backward.forEach(size -> backwardPlaces.add(places.take(size)));
        return new SegmentLayout(
                options,
                new RingPlan(forwardPage, forwardPlaces),
                new RingPlan(backwardPage, backwardPlaces),
                reserved,
                places.end);
    }

    /// Of the places of a ring that grows.
    static ArrayList<Long> sizes(long first, long last) {
        var sizes = new ArrayList<>(List.of(first));
        while (sizes.getLast() < last) {
            sizes.add(Math.min(GROWTH * sizes.getLast(), last));
        }
        return sizes;
    }

    /// Gives out one place after the other.
    private static final class Places {
        private long end;

        Places(long end) {
            this.end = end;
        }

        RingPlace take(long size) {
            var place = new RingPlace(end, size);
            end += size;
            return place;
        }
    }
}
