package org.ibidem.link.shm;

import java.util.ArrayList;
import java.util.List;
import org.ibidem.buffer.Ring;
import org.ibidem.buffer.RingPlace;
import org.ibidem.buffer.RingPlan;

/// What lies where in the file of a broadcast ring (`docs/wire/shm.md`): follows from the options
/// and the number of readers.
///
/// @param options of the first link
/// @param readers how many
/// @param places of the ring
/// @param reserved bytes at the beginning that have memory from the start
/// @param bytes of the whole file
record BroadcastLayout(
        Shm options, int readers, List<RingPlace> places, long reserved, long bytes) {
    private static final int MOST_READERS = 1 << 16;
    private static final int PAGE = SegmentLayout.PAGE;

    /// @throws IllegalArgumentException when there cannot be so many readers
    static BroadcastLayout of(Shm options, int readers) {
        if (readers < 1 || readers > MOST_READERS) {
            throw new IllegalArgumentException("a broadcast to " + readers + " readers");
        }
        long pages = ((long) readers * Ring.CONTROL + PAGE - 1) / PAGE;
        long end = PAGE + pages * PAGE;
        long reserved = end + options.ring();
        var places = new ArrayList<RingPlace>();
        for (long size : SegmentLayout.sizes(options.ring(), options.largest())) {
            places.add(new RingPlace(end, size));
            end += size;
        }
        return new BroadcastLayout(options, readers, List.copyOf(places), reserved, end);
    }

    /// The ring as this reader has it.
    RingPlan plan(int reader) {
        return new RingPlan(PAGE + (long) reader * Ring.CONTROL, places);
    }
}
