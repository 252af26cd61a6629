package org.ibidem.apps.sor;

import java.util.Arrays;
import java.util.BitSet;

/// The pixels of a picture that keep their value, chosen such that diffusion brings the others
/// back.
///
/// The best density of such points grows with the size of the picture's Laplacian (Belhachmi et al.
/// 2009): many on both sides of an edge, few where brightness changes evenly. That density is
/// turned into points by error diffusion (Floyd and Steinberg 1976). The border is kept whole.
final class Anchors {
    private final int side;
    private final BitSet kept;

    private Anchors(int side, BitSet kept) {
        this.side = side;
        this.kept = kept;
    }

    /// Keeps about `share` (0 to 1) of the pixels, and the border.
    static Anchors choose(Picture picture, double share) {
        int side = picture.side();
        var kept = scatter(density(picture, share), side);
        for (int i = 0; i < side; i++) {
            kept.set(i);
            kept.set((side - 1) * side + i);
            kept.set(i * side);
            kept.set(i * side + side - 1);
        }
        return new Anchors(side, kept);
    }

    /// Whether the pixel keeps its value.
    boolean keeps(int row, int column) {
        return kept.get(row * side + column);
    }

    /// How many pixels keep their value.
    int count() {
        return kept.cardinality();
    }

    /// Width in pixels of the widest hole: a pixel's largest distance from a kept one (counted
    /// along rows and columns), twice, and itself.
    int widestHole() {
        var distance = new int[side * side];
        Arrays.fill(distance, 2 * side);
        kept.stream().forEach(at -> distance[at] = 0);
        for (int at = 0; at < distance.length; at++) {
            lower(distance, at, at % side == 0 ? at : at - 1, Math.max(at - side, at % side));
        }
        int widest = 0;
        for (int at = distance.length - 1; at >= 0; at--) {
            int below = at + side < distance.length ? at + side : at;
            lower(distance, at, at % side == side - 1 ? at : at + 1, below);
            widest = Math.max(widest, distance[at]);
        }
        return 2 * widest + 1;
    }

    private static void lower(int[] distance, int at, int beside, int along) {
        distance[at] = Math.min(distance[at], Math.min(distance[beside], distance[along]) + 1);
    }

    private static double[] density(Picture picture, double share) {
        int side = picture.side();
        var density = new double[side * side];
        for (int i = 0; i < side; i++) {
            for (int j = 0; j < side; j++) {
                density[i * side + j] = LEAST + Math.abs(laplacian(picture, i, j));
            }
        }
        // Clipping at 1 takes some of the sum away; a few rounds give it back.
        for (int round = 0; round < 4; round++) {
            double factor = share * density.length / Arrays.stream(density).sum();
            for (int at = 0; at < density.length; at++) {
                density[at] = Math.min(1, density[at] * factor);
            }
        }
        return density;
    }

    /// What even places get, so that no hole grows too wide.
    private static final double LEAST = 0.0005;

    private static double laplacian(Picture picture, int i, int j) {
        return smooth(picture, i - 1, j)
                + smooth(picture, i + 1, j)
                + smooth(picture, i, j - 1)
                + smooth(picture, i, j + 1)
                - 4 * smooth(picture, i, j);
    }

    private static double smooth(Picture picture, int i, int j) {
        double corners =
                picture.at(i - 1, j - 1)
                        + picture.at(i - 1, j + 1)
                        + picture.at(i + 1, j - 1)
                        + picture.at(i + 1, j + 1);
        double sides =
                picture.at(i - 1, j)
                        + picture.at(i + 1, j)
                        + picture.at(i, j - 1)
                        + picture.at(i, j + 1);
        return (corners + 2 * sides + 4 * picture.at(i, j)) / 16;
    }

    private static BitSet scatter(double[] density, int side) {
        var points = new BitSet(side * side);
        for (int i = 0; i < side; i++) {
            // To and fro, so that the error has no favourite direction.
            int step = i % 2 == 0 ? 1 : -1;
            for (int n = 0, j = step > 0 ? 0 : side - 1; n < side; n++, j += step) {
                boolean point = density[i * side + j] >= 0.5;
                points.set(i * side + j, point);
                double error = density[i * side + j] - (point ? 1 : 0);
                give(density, side, i, j + step, error * 7 / 16);
                give(density, side, i + 1, j - step, error * 3 / 16);
                give(density, side, i + 1, j, error * 5 / 16);
                give(density, side, i + 1, j + step, error / 16);
            }
        }
        return points;
    }

    private static void give(double[] density, int side, int i, int j, double error) {
        if (i < side && j >= 0 && j < side) {
            density[i * side + j] += error;
        }
    }
}
