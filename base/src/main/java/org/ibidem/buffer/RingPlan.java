package org.ibidem.buffer;

import java.util.List;

/// Where the parts of a ring that may grow lie: equal at both ends.
///
/// @param control where its page of positions and flags begins, a multiple of 4096
/// @param places where its data lie, first and later; each place is larger than the one before
public record RingPlan(long control, List<RingPlace> places) {
    /// Copies the list.
    public RingPlan {
        places = List.copyOf(places);
    }

    /// A ring that stays where it is: its data follow the page.
    static RingPlan fixed(long base, long size) {
        return new RingPlan(base, List.of(new RingPlace(base + RingLayout.DATA, size)));
    }
}
