package org.ibidem.apps.matrix;

import ibis.satin.SatinObject;
import java.util.Arrays;
import java.util.Random;
import org.ibidem.apps.Numbers;

/// Arguments: rows (1024; a power of two), up to how many rows a product is computed at once (64).
public final class Matrix extends SatinObject implements MatrixInterface {
    private static final long serialVersionUID = 1;

    /// A wrong product passes one with a chance of a half at most.
    private static final int VECTORS = 40;

    private final int grain;

    Matrix(int grain) {
        this.grain = grain;
    }

    @Override
    public Square product(Square one, Square other) {
        if (one.side() <= grain) {
            return one.times(other);
        }
        var parts = new Square[8];
        for (int i = 0; i < parts.length; i++) {
            int down = i / 4;
            int right = i / 2 % 2;
            int middle = i % 2;
            parts[i] = product(one.quarter(down, middle), other.quarter(middle, right));
        }
        sync();
        var quarters = new Square[2][2];
        for (int i = 0; i < parts.length; i += 2) {
            quarters[i / 4][i / 2 % 2] = parts[i].plus(parts[i + 1]);
        }
        return Square.of(quarters);
    }

    /// Whether the product is right, as far as random vectors tell.
    static boolean isProduct(Square product, Square one, Square other) {
        var random = new Random(1);
        for (int i = 0; i < VECTORS; i++) {
            var vector = random.ints(one.side()).toArray();
            if (!Arrays.equals(product.times(vector), one.times(other.times(vector)))) {
                return false;
            }
        }
        return true;
    }

    /// Prints a sum of the product's cells, and whether the product is right.
    public static void main(String[] arguments) {
        var numbers = new Numbers("matrix [SIDE [GRAIN]]", arguments);
        int side = numbers.whole(0, 1024, 1, 16_384);
        int grain = numbers.whole(1, 64, 1, 16_384);
        if (Integer.bitCount(side) != 1) {
            numbers.refuse("a matrix has 1, 2, 4, 8 … rows, not " + side);
        }
        var one = Square.random(side, 1);
        var other = Square.random(side, 2);
        var matrix = new Matrix(grain);
        Square product = matrix.product(one, other);
        matrix.sync();
        System.out.println(
                "the product of "
                        + side
                        + " rows sums up to "
                        + Arrays.stream(product.cells()).sum()
                        + (isProduct(product, one, other) ? ", right" : ", WRONG"));
    }
}
