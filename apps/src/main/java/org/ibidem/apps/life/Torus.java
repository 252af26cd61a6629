package org.ibidem.apps.life;

import java.util.SplittableRandom;

/// The field that the game is played on: square, its edges joined. Cells are bytes: 0 dead, 1 live.
///
/// @param size cells in a row, and rows
/// @param seed of the first generation
record Torus(int size, long seed) {
    private static final int ONE_IN = 3;
    private static final int BIRTH = 3;
    private static final int SURVIVAL = 2;

    /// The row so many below this one.
    int row(int row, int below) {
        return Math.floorMod(row + below, size);
    }

    /// A row of generation 0. Anybody can make any.
    byte[] first(int row) {
        var random = new SplittableRandom(seed * size + row);
        var cells = new byte[size];
        for (int i = 0; i < size; i++) {
            cells[i] = (byte) (random.nextInt(ONE_IN) == 0 ? 1 : 0);
        }
        return cells;
    }

    /// A row of the next generation, from the three of this one.
    byte[] next(byte[] above, byte[] row, byte[] below) {
        var cells = new byte[size];
        int left = size - 1;
        for (int i = 0; i < size; i++) {
            int right = i + 1 == size ? 0 : i + 1;
            int around =
                    above[left]
                            + above[i]
                            + above[right]
                            + row[left]
                            + row[right]
                            + below[left]
                            + below[i]
                            + below[right];
            boolean lives = around == BIRTH || (around == SURVIVAL && row[i] == 1);
            cells[i] = (byte) (lives ? 1 : 0);
            left = i;
        }
        return cells;
    }

    /// The whole field after so many generations, computed here: what others are compared with.
    byte[][] sequential(int generations) {
        var field = new byte[size][];
        for (int row = 0; row < size; row++) {
            field[row] = first(row);
        }
        for (int generation = 0; generation < generations; generation++) {
            var next = new byte[size][];
            for (int row = 0; row < size; row++) {
                next[row] = next(field[row(row, -1)], field[row], field[row(row, 1)]);
            }
            field = next;
        }
        return field;
    }

    /// How many cells of these live.
    static long population(byte[][] rows) {
        long live = 0;
        for (var row : rows) {
            for (byte cell : row) {
                live += cell;
            }
        }
        return live;
    }
}
