package org.ibidem.apps.sat;

import ibis.satin.Spawnable;

/// What is spawned.
interface SatInterface extends Spawnable {
    /// Looks for an assignment.
    ///
    /// @param values of the variables from 1 on: 1 true, -1 false, 0 none yet; changed
    /// @param deep how often it is split by spawning
    /// @throws Satisfied with what was found
    void search(byte[] values, int deep) throws Satisfied;
}
