package org.ibidem.apps.matrix;

import java.io.Serializable;
import java.util.Random;

/// A square matrix of numbers that wrap around.
///
/// @param side rows, and columns
/// @param cells row by row
record Square(int side, int[] cells) implements Serializable {

    /// So large, always the same for a seed.
    static Square random(int side, long seed) {
        return new Square(side, new Random(seed).ints((long) side * side).toArray());
    }

    /// A quarter of it.
    Square quarter(int down, int right) {
        int half = side / 2;
        var part = new int[half * half];
        for (int row = 0; row < half; row++) {
            int from = (down * half + row) * side + right * half;
            System.arraycopy(cells, from, part, row * half, half);
        }
        return new Square(half, part);
    }

    /// Of four quarters.
    static Square of(Square[][] quarters) {
        int half = quarters[0][0].side;
        var whole = new int[4 * half * half];
        for (int row = 0; row < 2 * half; row++) {
            for (int right = 0; right < 2; right++) {
                var from = quarters[row / half][right].cells;
                int to = row * 2 * half + right * half;
                System.arraycopy(from, row % half * half, whole, to, half);
            }
        }
        return new Square(2 * half, whole);
    }

    Square plus(Square other) {
        var sum = new int[cells.length];
        for (int i = 0; i < sum.length; i++) {
            sum[i] = cells[i] + other.cells[i];
        }
        return new Square(side, sum);
    }

    /// By three loops.
    Square times(Square other) {
        var product = new int[cells.length];
        for (int row = 0; row < side; row++) {
            for (int k = 0; k < side; k++) {
                int factor = cells[row * side + k];
                for (int column = 0; column < side; column++) {
                    product[row * side + column] += factor * other.cells[k * side + column];
                }
            }
        }
        return new Square(side, product);
    }

    int[] times(int[] vector) {
        var product = new int[side];
        for (int i = 0; i < cells.length; i++) {
            product[i / side] += cells[i] * vector[i % side];
        }
        return product;
    }
}
