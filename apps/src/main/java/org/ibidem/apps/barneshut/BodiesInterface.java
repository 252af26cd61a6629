package org.ibidem.apps.barneshut;

import ibis.satin.WriteMethodsInterface;

/// What is done to all copies.
interface BodiesInterface extends WriteMethodsInterface {
    /// Moves all bodies on by a step.
    ///
    /// @param forces for each body its acceleration along x, y and z
    void move(double[] forces);
}
