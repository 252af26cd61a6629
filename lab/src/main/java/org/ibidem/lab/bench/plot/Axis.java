package org.ibidem.lab.bench.plot;

import java.util.ArrayList;
import java.util.List;

/// A logarithmic axis, with ticks at 1, 2 and 5 times the powers of ten, or at the powers alone
/// where those are many.
final class Axis {
    private static final int MOST_TICKS = 8;
    private static final double AIR = 1.15;

    private final double least;
    private final double most;
    private final int left;
    private final int right;

    /// @param least the smallest value to show, above 0
    /// @param most the largest
    /// @param left where the axis begins, in pixels
    /// @param right where it ends
    Axis(double least, double most, int left, int right) {
        this.least = Math.log10(least / AIR);
        this.most = Math.log10(most * AIR);
        this.left = left;
        this.right = right;
    }

    /// Where a value lies, in pixels.
    int at(double value) {
        return left
                + (int) Math.round((Math.log10(value) - least) / (most - least) * (right - left));
    }

    /// The values that get a line.
    List<Double> ticks() {
        var fine = ticks(1, 2, 5);
        return fine.size() <= MOST_TICKS ? fine : ticks(1);
    }

    private List<Double> ticks(int... steps) {
        var ticks = new ArrayList<Double>();
        for (int power = (int) Math.floor(least); power <= most; power++) {
            for (int step : steps) {
                double tick = step * Math.pow(10, power);
                if (Math.log10(tick) >= least && Math.log10(tick) <= most) {
                    ticks.add(tick);
                }
            }
        }
        return ticks;
    }
}
