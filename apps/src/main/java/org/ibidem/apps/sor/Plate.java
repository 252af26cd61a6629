package org.ibidem.apps.sor;

/// The problem: a square plate of `size` × `size` cells, some of which have a fixed temperature (0
/// to 1).
///
/// The picture's pixels are spread evenly over the cells; where a pixel is an anchor all cells
/// under it are fixed. The plate's border is fixed. Every process makes the same plate out of the
/// same picture: nothing need be sent.
final class Plate {
    /// Smallest and largest side of a plate, in cells. The largest is what one array of doubles can
    /// hold with ease.
    static final int LEAST = 8;

    static final int MOST = 8192;

    /// The share of pixels that keep their value.
    private static final double SHARE = 0.05;

    private final int size;
    private final Picture picture;
    private final Anchors anchors;
    private final double omega;

    /// A plate of `size` × `size` cells with the temperatures of `picture`, which is at most as
    /// wide.
    Plate(int size, Picture picture) {
        if (size < LEAST || size > MOST) {
            throw new BadProblem(
                    "--size "
                            + size
                            + " is outside "
                            + LEAST
                            + " to "
                            + MOST
                            + ": give one within");
        }
        this.size = size;
        this.picture = picture;
        this.anchors = Anchors.choose(picture, SHARE);
        double hole = (double) anchors.widestHole() * size / picture.side();
        this.omega = 2 / (1 + Math.sin(Math.PI / Math.max(3, hole)));
    }

    /// Cells in a row, and rows.
    int size() {
        return size;
    }

    /// The factor of over-relaxation: Young's best one for a square as wide as the widest hole
    /// between anchors.
    double omega() {
        return omega;
    }

    /// The share of the picture's pixels that keep their value: 0 to 1.
    double kept() {
        return (double) anchors.count() / picture.side() / picture.side();
    }

    /// Whether the cell's temperature is fixed.
    boolean isFixed(int row, int column) {
        return row == 0
                || column == 0
                || row == size - 1
                || column == size - 1
                || anchors.keeps(pixel(row), pixel(column));
    }

    /// The temperature that the picture gives to a cell.
    double temperature(int row, int column) {
        double scale = (double) picture.side() / size;
        return picture.between((row + 0.5) * scale, (column + 0.5) * scale);
    }

    private int pixel(int cell) {
        return (int) ((long) cell * picture.side() / size);
    }
}
