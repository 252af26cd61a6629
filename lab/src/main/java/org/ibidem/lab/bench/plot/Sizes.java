package org.ibidem.lab.bench.plot;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.regex.Pattern;

/// A run that measured the same with messages of several sizes: what is drawn over the size.
///
/// @param benchmark its name
/// @param about one line for people
/// @param fields one for each kind of measure
record Sizes(String benchmark, String about, List<Field> fields) {
    private static final Pattern MEASURE = Pattern.compile("([a-z]+)-(\\d+)(B|KiB|MiB)");
    private static final int KIBI = 10;

    /// Fewer are better seen side by side.
    private static final int FEWEST = 4;

    /// One kind of measure.
    ///
    /// @param kind how the names of its measures begin: `half`, `byte`
    /// @param unit of its figures
    /// @param moreIsBetter whether a larger figure is the better one
    /// @param curves one for each contestant
    record Field(String kind, String unit, boolean moreIsBetter, List<Curve> curves) {
        double least() {
            return curves.stream()
                    .flatMap(curve -> curve.points.stream())
                    .mapToDouble(Point::best)
                    .min()
                    .orElse(1);
        }

        double most() {
            return curves.stream()
                    .flatMap(curve -> curve.points.stream())
                    .mapToDouble(Point::best)
                    .max()
                    .orElse(1);
        }

        /// The sizes that anybody played, in order.
        List<Long> sizes() {
            return curves.stream()
                    .flatMap(curve -> curve.points.stream())
                    .map(Point::bytes)
                    .distinct()
                    .sorted()
                    .toList();
        }
    }

    /// One contestant.
    record Curve(String name, List<Point> points) {}

    /// @param bytes of a message
    /// @param best the best decile
    record Point(long bytes, double best) {}

    /// Whether all measures of a run are of sizes, and of enough of them.
    static boolean is(Recorded run) {
        return run.panels().stream().allMatch(panel -> MEASURE.matcher(panel.measure()).matches())
                && run.panels().size() >= FEWEST * of(run).fields.size();
    }

    /// The run by size.
    static Sizes of(Recorded run) {
        var kinds = new LinkedHashMap<String, List<Recorded.Panel>>();
        for (var panel : run.panels()) {
            var kind = panel.measure().replaceFirst("-.*", "");
            kinds.computeIfAbsent(kind, _ -> new ArrayList<>()).add(panel);
        }
        var fields = new ArrayList<Field>();
        kinds.forEach((kind, panels) -> fields.add(field(kind, panels)));
        return new Sizes(run.benchmark(), run.about(), fields);
    }

    private static Field field(String kind, List<Recorded.Panel> panels) {
        var curves = new LinkedHashMap<String, List<Point>>();
        for (var panel : panels) {
            for (var row : panel.rows()) {
                curves.computeIfAbsent(row.name(), _ -> new ArrayList<>())
                        .add(new Point(bytes(panel.measure()), row.best()));
            }
        }
        var first = panels.getFirst();
        return new Field(
                kind,
                first.unit(),
                first.moreIsBetter(),
                curves.entrySet().stream()
                        .map(each -> new Curve(each.getKey(), each.getValue()))
                        .toList());
    }

    private static long bytes(String measure) {
        var parts = MEASURE.matcher(measure);
        if (!parts.matches()) {
            throw new IllegalArgumentException(measure + " is of no size");
        }
        long count = Long.parseLong(parts.group(2));
        return switch (parts.group(3)) {
            case "KiB" -> count << KIBI;
            case "MiB" -> count << (2 * KIBI);
            default -> count;
        };
    }
}
