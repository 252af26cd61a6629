package org.ibidem.lab.bench.plot;

import java.util.List;
import java.util.Map;
import org.ibidem.lab.bench.figures.Json;
import org.jspecify.annotations.Nullable;

/// Figures that others have published, and what was measured here of the same: a part of the JSON
/// file of a benchmark that says so.
///
/// @param figures one for each of theirs
record Beside(List<Figure> figures) {
    /// One figure.
    ///
    /// @param title what all its bars have in common
    /// @param capacity of the line, in what is drawn upwards
    /// @param bars from left to right
    record Figure(String title, double capacity, List<Bars> bars) {
        double most() {
            return bars.stream()
                    .mapToDouble(each -> Math.max(each.theirs, each.ours))
                    .reduce(capacity, Math::max);
        }
    }

    /// What one method came to, there and here.
    ///
    /// @param name of the method
    /// @param theirs 0: they had none
    /// @param ours 0: it was not measured
    record Bars(String name, double theirs, double ours) {}

    /// Reads it; no figures where the file has none.
    ///
    /// @throws IllegalArgumentException when it is no such file
    static Beside read(String text) {
        return Json.read(text) instanceof Map<?, ?> all && all.get("figures") != null
                ? new Beside(
                        Recorded.list(all.get("figures")).stream()
                                .map(each -> figure(Recorded.map(each)))
                                .toList())
                : new Beside(List.of());
    }

    private static Figure figure(Map<String, @Nullable Object> figure) {
        return new Figure(
                Recorded.string(figure.get("title")),
                Recorded.number(figure.get("capacity")),
                Recorded.list(figure.get("bars")).stream()
                        .map(each -> bars(Recorded.map(each)))
                        .toList());
    }

    private static Bars bars(Map<String, @Nullable Object> bars) {
        return new Bars(
                Recorded.string(bars.get("name")),
                Recorded.number(bars.get("theirs")),
                Recorded.number(bars.get("ours")));
    }
}
