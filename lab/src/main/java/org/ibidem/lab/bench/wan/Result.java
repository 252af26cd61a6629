package org.ibidem.lab.bench.wan;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What came of a transfer.
///
/// @param rate in the time that counts, bytes a second
/// @param before that; [Double#NaN]: nobody says
/// @param way what it says of itself
/// @param count how much had come when; null: nobody says
/// @param decisions what was decided when
record Result(
        double rate, double before, String way, @Nullable Count count, List<Decision> decisions)
        implements Comparable<Result> {
    private static final double MEGA = 1e6;

    /// Seconds between two points of a curve, and over which a rate is taken, both ways.
    private static final double STEP = 0.1;

    private static final double AROUND = 0.25;

    /// Of what was counted.
    ///
    /// @param from the second from which on it counts
    /// @param to until which, or until all has come
    static Result of(Count count, int from, int to, String way, List<Decision> decisions) {
        double end = Math.min(to, count.seconds());
        return end > from
                ? new Result(count.rate(from, end), count.rate(0, from), way, count, decisions)
                : new Result(count.rate(0, end), Double.NaN, way, count, decisions);
    }

    @Override
    public int compareTo(Result other) {
        return Double.compare(rate, other.rate);
    }

    /// A line of a table.
    String text(String name) {
        return String.format(
                Locale.ROOT,
                "  %-44s %7.2f %7s  %s",
                name,
                rate / MEGA,
                Double.isNaN(before) ? "-" : String.format(Locale.ROOT, "%.2f", before / MEGA),
                brief());
    }

    /// The decisions that held in the end.
    private String brief() {
        int from = way.indexOf("; auto:");
        return from < 0 ? "" : way.substring(from + 2, way.length() - 1);
    }

    /// For a picture: the rate over time, and what was decided when; null: nobody says.
    @Nullable Map<String, Object> curve(String name) {
        var known = count;
        if (known == null) {
            return null;
        }
        var points = new ArrayList<List<Double>>();
        for (double at = STEP; at < known.seconds(); at += STEP) {
            double from = Math.max(0, at - AROUND);
            double to = Math.min(known.seconds(), at + AROUND);
            points.add(List.of(rounded(at), rounded(known.rate(from, to) / MEGA)));
        }
        var curve = new LinkedHashMap<String, Object>();
        curve.put("name", name);
        curve.put("mean", rounded(rate / MEGA));
        curve.put("points", points);
        curve.put(
                "decisions",
                decisions.stream()
                        .map(each -> List.<Object>of(rounded(each.at()), each.text()))
                        .toList());
        return curve;
    }

    private static double rounded(double value) {
        return Math.round(value * 1e3) / 1e3;
    }
}
