package org.ibidem.apps.sor;

import java.util.Arrays;

/// Consecutive rows of a plate, and one foreign row on either side.
///
/// A cell is red where row + column is even, else black. The neighbours of a red cell are all black
/// and the other way round, so the cells of one colour can be relaxed in any order, on any number
/// of processes, with the same result to the last bit.
final class Block {
    /// The two colours.
    static final int RED = 0;

    static final int BLACK = 1;

    private final int size;
    private final int first;
    private final int rows;
    private final double omega;

    /// Rows first - 1 to first + rows, one after the other.
    private final double[] cells;

    /// Where not fixed cells begin and end in a row, in turn; those of row `first + i` lie between
    /// holeIndex[i] and holeIndex[i + 1].
    private int[] holes = new int[1024];

    private final int[] holeIndex;

    /// Rows `first` to `first + rows - 1` of `plate`: fixed cells have their temperature, all
    /// others 0.
    Block(Plate plate, int first, int rows) {
        this.size = plate.size();
        this.first = first;
        this.rows = rows;
        this.omega = plate.omega();
        this.cells = new double[Math.multiplyExact(rows + 2, size)];
        this.holeIndex = new int[rows + 1];
        for (int row = first - 1; row <= first + rows; row++) {
            if (row >= 0 && row < size) {
                heat(plate, row);
            }
        }
        findHoles(plate);
    }

    private void heat(Plate plate, int row) {
        int base = base(row);
        for (int column = 0; column < size; column++) {
            if (plate.isFixed(row, column)) {
                cells[base + column] = plate.temperature(row, column);
            }
        }
    }

    private void findHoles(Plate plate) {
        int count = 0;
        for (int row = first; row < first + rows; row++) {
            boolean inHole = false;
            for (int column = 0; column < size; column++) {
                if (plate.isFixed(row, column) == inHole) {
                    count = addHoleEdge(count, column);
                    inHole = !inHole;
                }
            }
            if (inHole) {
                throw new IllegalStateException("the border of a plate is fixed");
            }
            holeIndex[row - first + 1] = count;
        }
        holes = Arrays.copyOf(holes, count);
    }

    private int addHoleEdge(int count, int column) {
        if (count == holes.length) {
            holes = Arrays.copyOf(holes, count + count / 2);
        }
        holes[count] = column;
        return count + 1;
    }

    /// The first row that belongs to this block.
    int first() {
        return first;
    }

    /// How many rows belong to this block.
    int rows() {
        return rows;
    }

    /// Relaxes the cells of one colour in the rows `from` (inclusive) to `to` (exclusive).
    ///
    /// @return how far the worst cell was from the mean of its neighbours
    double relax(int from, int to, int colour) {
        double worst = 0;
        for (int row = from; row < to; row++) {
            int base = base(row);
            int last = holeIndex[row - first + 1];
            for (int hole = holeIndex[row - first]; hole < last; hole += 2) {
                int begin = holes[hole] + (holes[hole] + row + colour & 1);
                worst = Math.max(worst, relaxHole(base + begin, base + holes[hole + 1]));
            }
        }
        return worst;
    }

    private double relaxHole(int begin, int end) {
        double worst = 0;
        for (int at = begin; at < end; at += 2) {
            double mean =
                    0.25 * (cells[at - size] + cells[at + size] + cells[at - 1] + cells[at + 1]);
            double change = mean - cells[at];
            cells[at] += omega * change;
            worst = Math.max(worst, Math.abs(change));
        }
        return worst;
    }

    /// How many cells of one colour a row has.
    int count(int row, int colour) {
        return (size - (row + colour & 1) + 1) / 2;
    }

    /// Copies the cells of one colour of a row, own or foreign, into `target`; returns how many.
    int take(int row, int colour, double[] target) {
        int count = count(row, colour);
        int at = base(row) + (row + colour & 1);
        for (int i = 0; i < count; i++, at += 2) {
            target[i] = cells[at];
        }
        return count;
    }

    /// Sets the cells of one colour of a row from `source`.
    void put(int row, int colour, double[] source) {
        int count = count(row, colour);
        int at = base(row) + (row + colour & 1);
        for (int i = 0; i < count; i++, at += 2) {
            cells[at] = source[i];
        }
    }

    /// The array in which the cells lie; a row begins at [#base].
    double[] cells() {
        return cells;
    }

    /// Where a row begins in [#cells].
    int base(int row) {
        return (row - first + 1) * size;
    }
}
