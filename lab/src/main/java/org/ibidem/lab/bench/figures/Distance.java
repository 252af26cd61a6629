package org.ibidem.lab.bench.figures;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// One of the distances at which the two cores were while something was measured, in nanoseconds:
/// half a round trip of one word.
///
/// @param least and `most` of the measured values that belong together
/// @param turns how many there were
public record Distance(double least, double most, int turns) {
    /// Values that differ by more than this factor are not the same distance.
    private static final double GAP = 1.5;

    /// The distances among these values, the nearest first. What is not known is left out.
    static List<Distance> among(double... values) {
        var sorted = Arrays.stream(values).filter(v -> !Double.isNaN(v)).sorted().toArray();
        var found = new ArrayList<Distance>();
        for (int from = 0, to; from < sorted.length; from = to) {
            for (to = from + 1; to < sorted.length && sorted[to] < GAP * sorted[to - 1]; to++) {}
            found.add(new Distance(sorted[from], sorted[to - 1], to - from));
        }
        return found;
    }

    /// What is known of a turn whose cores were so far apart before and after it; NaN: they were
    /// moved meanwhile.
    public static double between(double before, double after) {
        return Math.max(before, after) < GAP * Math.min(before, after)
                ? Math.sqrt(before * after)
                : Double.NaN;
    }

    boolean has(double value) {
        return value >= least && value <= most;
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "cores %.0f to %.0f ns apart", least, most);
    }
}
