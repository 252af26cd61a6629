package org.ibidem.apps.knapsack;

import ibis.satin.Spawnable;

/// What is spawned.
interface KnapsackInterface extends Spawnable {
    /// The greatest value that the things from `first` on can have.
    ///
    /// @param room what they may weigh
    int best(int first, int room);
}
