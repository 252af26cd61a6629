package org.ibidem.apps.sor;

/// Compares a field with the sequential solver's, bit for bit.
final class Comparison implements RowReader {
    private final Block expected;
    private final int size;
    private long rows;
    private long different;
    private String first = "";

    /// Compares with `expected`, a whole plate of `size` rows.
    Comparison(Block expected, int size) {
        this.expected = expected;
        this.size = size;
    }

    @Override
    public void row(int row, double[] temperatures, int from) {
        rows++;
        int base = expected.base(row);
        for (int column = 0; column < size; column++) {
            double here = temperatures[from + column];
            double there = expected.cells()[base + column];
            if (Double.doubleToRawLongBits(here) != Double.doubleToRawLongBits(there)) {
                if (different++ == 0) {
                    first =
                            "row "
                                    + row
                                    + " column "
                                    + column
                                    + " is "
                                    + here
                                    + ", sequentially "
                                    + there;
                }
            }
        }
    }

    /// Whether every row came and no bit differs.
    boolean equal() {
        return rows == size && different == 0;
    }

    @Override
    public String toString() {
        if (equal()) {
            return "equal to the sequential solver's field, bit for bit";
        }
        return "NOT equal to the sequential solver's field: "
                + rows
                + " of "
                + size
                + " rows came, "
                + different
                + " cells differ"
                + (different == 0 ? "" : "; the first one: " + first);
    }
}
