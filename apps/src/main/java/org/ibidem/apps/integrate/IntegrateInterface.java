package org.ibidem.apps.integrate;

import ibis.satin.Spawnable;

/// What is spawned.
interface IntegrateInterface extends Spawnable {
    /// The area between two places.
    ///
    /// @param rough what Simpson's rule gives for it
    /// @param error what the result may be wrong by
    double area(double from, double to, double rough, double error);
}
