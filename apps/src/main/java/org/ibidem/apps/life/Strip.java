package org.ibidem.apps.life;

/// Some rows of one generation that follow each other. Not changed once made.
///
/// @param generation of these cells
/// @param first the first row
/// @param rows the cells, row by row
record Strip(int generation, int first, byte[][] rows) {
    /// Whether it has this row.
    boolean has(int row) {
        return row >= first && row < first + rows.length;
    }

    /// The cells of a row.
    byte[] row(int row) {
        return rows[row - first];
    }

    /// What it is, without its cells.
    Held held() {
        return new Held(generation, first, rows.length);
    }

    /// Rows that a member holds.
    ///
    /// @param generation of the cells
    /// @param first the first row
    /// @param count how many
    record Held(int generation, int first, int count) {}
}
