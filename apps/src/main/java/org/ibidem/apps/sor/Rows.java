package org.ibidem.apps.sor;

/// The rows that belong to one process.
///
/// @param first the first one
/// @param count how many, at least 1
record Rows(int first, int count) {
    /// The share of process `rank` of `ranks`: shares differ by one row at most, and follow each
    /// other as ranks do.
    ///
    /// @throws BadProblem when there are more processes than rows
    static Rows of(int rank, int ranks, int size) {
        if (ranks > size) {
            throw new BadProblem(
                    "a plate of "
                            + size
                            + " rows cannot be shared by "
                            + ranks
                            + " processes: take at most "
                            + size
                            + ", or a larger --size");
        }
        int first = (int) ((long) size * rank / ranks);
        return new Rows(first, (int) ((long) size * (rank + 1) / ranks) - first);
    }

    /// The last one.
    int last() {
        return first + count - 1;
    }
}
