package org.ibidem.lab.bench.plot;

import java.util.List;
import java.util.Map;
import org.ibidem.lab.bench.figures.Json;
import org.jspecify.annotations.Nullable;

/// The JSON file of a benchmark that says how something went on over time.
///
/// @param benchmark its name
/// @param about one line for people
/// @param panels one for each line and what was sent over it
record Curves(String benchmark, String about, List<Panel> panels) {
    /// What is drawn into one field.
    ///
    /// @param title what all its curves have in common
    /// @param capacity of the line, in what is drawn upwards
    /// @param curves one for each contestant
    record Panel(String title, double capacity, List<Curve> curves) {
        double most() {
            return curves.stream()
                    .flatMap(curve -> curve.points.stream())
                    .mapToDouble(Point::value)
                    .reduce(capacity, Math::max);
        }

        double seconds() {
            return curves.stream()
                    .flatMap(curve -> curve.points.stream())
                    .mapToDouble(Point::at)
                    .reduce(1, Math::max);
        }
    }

    /// One contestant.
    ///
    /// @param name its name
    /// @param mean of the time that counts
    /// @param points in the order of time
    /// @param marks what was decided
    record Curve(String name, double mean, List<Point> points, List<Mark> marks) {}

    /// @param at seconds after the beginning
    record Point(double at, double value) {}

    /// @param at seconds after the beginning
    record Mark(double at, String text) {}

    /// Whether a file is one of these.
    static boolean is(String text) {
        return Json.read(text) instanceof Map<?, ?> all && all.containsKey("panels");
    }

    /// Reads it.
    ///
    /// @throws IllegalArgumentException when it is no such file
    static Curves read(String text) {
        var all = Recorded.map(Json.read(text));
        return new Curves(
                Recorded.string(all.get("benchmark")),
                Recorded.string(all.get("about")),
                Recorded.list(all.get("panels")).stream()
                        .map(each -> panel(Recorded.map(each)))
                        .toList());
    }

    private static Panel panel(Map<String, @Nullable Object> panel) {
        return new Panel(
                Recorded.string(panel.get("title")),
                Recorded.number(panel.get("capacity")),
                Recorded.list(panel.get("curves")).stream()
                        .map(each -> curve(Recorded.map(each)))
                        .toList());
    }

    private static Curve curve(Map<String, @Nullable Object> curve) {
        return new Curve(
                Recorded.string(curve.get("name")),
                Recorded.number(curve.get("mean")),
                Recorded.list(curve.get("points")).stream().map(Curves::point).toList(),
                Recorded.list(curve.get("decisions")).stream().map(Curves::mark).toList());
    }

    private static Point point(@Nullable Object pair) {
        var both = Recorded.list(pair);
        return new Point(Recorded.number(both.getFirst()), Recorded.number(both.getLast()));
    }

    private static Mark mark(@Nullable Object pair) {
        var both = Recorded.list(pair);
        return new Mark(Recorded.number(both.getFirst()), Recorded.string(both.getLast()));
    }
}
