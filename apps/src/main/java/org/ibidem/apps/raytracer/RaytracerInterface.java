package org.ibidem.apps.raytracer;

import ibis.satin.Spawnable;

/// What is spawned.
interface RaytracerInterface extends Spawnable {
    /// The pixels of a part of the picture, row by row.
    int[] part(Part part);
}
