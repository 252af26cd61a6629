package org.ibidem.apps.queens;

import ibis.satin.Spawnable;

/// What is spawned.
interface QueensInterface extends Spawnable {
    /// In how many ways the rows from `row` on can be filled.
    ///
    /// @param board the column of the queen of each row before
    /// @param row the first row without a queen
    /// @param deep up to which row calls are spawned
    long solutions(byte[] board, int row, int deep);
}
