package org.ibidem.apps.sor;

import org.ibidem.apps.view.Palette;
import org.ibidem.apps.view.Sample;
import org.ibidem.apps.view.Shown;

/// The field of one process as a picture for who watches: of a plate with more cells than the
/// picture has pixels, cells at even distances.
final class Sampling implements Shown.Source {
    private final Block block;
    private final int size;
    private final int steps;
    private final int side;

    /// The first row of the picture that shows a row of this block, and the first one that does not
    /// any more.
    private final int top;

    private final int bottom;

    /// @param size cells in a row of the plate, and rows
    /// @param steps how many iterations there will be
    Sampling(Block block, int size, int steps) {
        this.block = block;
        this.size = size;
        this.steps = steps;
        this.side = Math.min(size, Sample.MOST);
        this.top = from(block.first());
        this.bottom = from(block.first() + block.rows());
    }

    /// The first row of the picture whose cells are in `row` or below it.
    private int from(int row) {
        return Math.ceilDiv(row * side, size);
    }

    private int cell(int pixel) {
        return pixel * size / side;
    }

    @Override
    public Sample sample(int step, boolean last) {
        var cells = block.cells();
        var pixels = new byte[(bottom - top) * side];
        int at = 0;
        for (int y = top; y < bottom; y++) {
            int base = block.base(cell(y));
            for (int x = 0; x < side; x++) {
                pixels[at++] = Palette.shade(cells[base + cell(x)]);
            }
        }
        return new Sample(side, top, step, steps, last, pixels);
    }
}
