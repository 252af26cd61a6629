package org.ibidem.apps.sor;

/// Receives a field row by row; in no certain order, each row once.
interface RowReader {
    /// The temperatures of `row` begin at `from`; they are the reader's until it returns.
    void row(int row, double[] temperatures, int from);
}
