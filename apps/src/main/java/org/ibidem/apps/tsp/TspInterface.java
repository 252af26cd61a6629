package org.ibidem.apps.tsp;

import ibis.satin.Spawnable;

/// What is spawned.
interface TspInterface extends Spawnable {
    /// The length of the shortest trip that begins with these towns, if it is below `bound`.
    ///
    /// @param trip the towns in order; the first `count` are fixed, the others are still to be put
    ///   in order
    /// @param length of the trip through the first `count` of them
    int shortest(int[] trip, int count, int length, int bound);
}
