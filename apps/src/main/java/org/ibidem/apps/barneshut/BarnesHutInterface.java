package org.ibidem.apps.barneshut;

import ibis.satin.Spawnable;

/// What is spawned.
interface BarnesHutInterface extends Spawnable {
    /// The accelerations of some of the bodies, along x, y and z.
    ///
    /// @param from the first of them
    /// @param to the one behind the last
    /// @param step how often they have been moved
    double[] forces(Bodies bodies, int from, int to, int step);
}
