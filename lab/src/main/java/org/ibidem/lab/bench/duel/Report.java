package org.ibidem.lab.bench.duel;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.ibidem.lab.bench.Contestant;
import org.ibidem.lab.bench.Measure;
import org.ibidem.lab.bench.figures.Distance;
import org.ibidem.lab.bench.figures.Figures;
import org.ibidem.lab.bench.figures.Json;

/// What a run comes to: a table, a JSON file, and the lines at the end.
///
/// @param benchmark what was run
/// @param contestants who took part
/// @param figures what was measured
/// @param leftOut who did not take part, and why
public record Report(
        Benchmark benchmark,
        List<Contestant> contestants,
        Figures figures,
        Map<String, String> leftOut) {
    private static final int NAME = 18;
    private static final int MILLIS = 1_000;

    /// A distance with fewer turns than one in so many gets no table.
    private static final int LEAST_PART = 8;

    /// Prints table and lines.
    public void print(PrintStream out) {
        for (var measure : benchmark.measures()) {
            tables(out, measure);
        }
        idle(out);
        for (var contestant : contestants) {
            out.printf("%-" + NAME + "s %s%n", contestant.name(), contestant.about());
        }
        leftOut.forEach((name, why) -> out.printf("%-" + NAME + "s left out: %s%n", name, why));
        out.println();
        benchmark.aims().stream().flatMap(a -> a.lines(figures).stream()).forEach(out::println);
        out.flush();
    }

    /// One table for each distance of the cores at which a good part of the turns was played.
    private void tables(PrintStream out, Measure measure) {
        var distances = figures.distances(measure.name());
        int all = distances.stream().mapToInt(Distance::turns).sum();
        if (distances.size() < 2) {
            table(out, measure, s -> s);
        }
        for (var where : distances) {
            if (distances.size() > 1 && where.turns() * LEAST_PART >= all) {
                out.printf("# %s, %d of %d turns%n", where, where.turns(), all);
                table(out, measure, s -> s.where(where));
            }
        }
    }

    private void idle(PrintStream out) {
        out.printf(
                "%-" + NAME + "s processor time of both, connected, while nobody sends%n", "idle");
        for (var contestant : contestants) {
            figures.idle(contestant.name())
                    .ifPresent(s ->
                            out.printf(
                                    Locale.ROOT,
                                    "  %-" + (NAME - 2) + "s %8.2f ms a second%n",
                                    contestant.name(),
                                    s * MILLIS));
        }
        out.println();
    }

    private void table(PrintStream out, Measure measure, UnaryOperator<Figures.Series> which) {
        var unit = measure.kind().unit();
        out.printf(
                "%-" + NAME + "s %-6s %12s %12s %14s%n",
                measure.name(),
                "waits",
                "best decile",
                "median",
                "B allocated");
        for (var contestant : contestants) {
            figures.series(measure.name(), contestant.name())
                    .map(which)
                    .filter(s -> !s.turns().isEmpty())
                    .ifPresent(s ->
                            out.printf(
                                    Locale.ROOT,
                                    "  %-" + (NAME - 2) + "s %-6s %7s %4s %7s %4s %14.2f%n",
                                    contestant.name(),
                                    contestant.waiting().name().toLowerCase(Locale.ROOT),
                                    three(s.best()),
                                    unit,
                                    three(s.median()),
                                    unit,
                                    s.allocated()));
        }
        out.println();
    }

    /// Three digits that count, and no exponent.
    static String three(double value) {
        int decimals = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3;
        return String.format(Locale.ROOT, "%." + decimals + "f", value);
    }

    /// Writes the JSON file: `{"benchmark", "about", "cores", "measures": {METRIC: {"unit",
    /// "moreIsBetter", "contestants": {NAME: {"waits", "best", "median", "allocated", "apart":
    /// [..], "usual": [..], "samples": [[..], ..]}}}}, "idle": {NAME: SHARE}, "lines": [..]}`. Of
    /// each turn it says how far apart the cores were, and whether that is the distance at which
    /// most turns were played.
    public void write(Path file) throws IOException {
        var measures = new LinkedHashMap<String, Object>();
        for (var measure : benchmark.measures()) {
            var those = new LinkedHashMap<String, Object>();
            for (var contestant : contestants) {
                figures.series(measure.name(), contestant.name())
                        .ifPresent(s -> those.put(contestant.name(), tree(contestant, s)));
            }
            measures.put(
                    measure.name(),
                    ordered(
                            "unit", measure.kind().unit(),
                            "moreIsBetter", measure.kind().moreIsBetter(),
                            "contestants", those));
        }
        var all =
                ordered(
                        "benchmark", benchmark.name(),
                        "about", benchmark.about(),
                        "java", Runtime.version().toString(),
                        "leftOut", leftOut,
                        "measures", measures,
                        "idle", idle(),
                        "lines",
                                benchmark.aims().stream()
                                        .flatMap(a -> a.lines(figures).stream())
                                        .toList());
        var folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
        Files.writeString(file, Json.write(all));
    }

    private Map<String, Object> idle() {
        var shares = new LinkedHashMap<String, Object>();
        for (var contestant : contestants) {
            figures.idle(contestant.name()).ifPresent(s -> shares.put(contestant.name(), s));
        }
        return shares;
    }

    /// What stands for a contestant is what it did at the most usual distance.
    private Map<String, Object> tree(Contestant contestant, Figures.Series series) {
        var usual =
                figures.distances(series.measure().name()).stream()
                        .map(series::where)
                        .filter(s -> !s.turns().isEmpty())
                        .findFirst()
                        .orElse(series);
        return ordered(
                "waits", contestant.waiting().name().toLowerCase(Locale.ROOT),
                "best", usual.best(),
                "median", usual.median(),
                "allocated", series.allocated(),
                "apart",
                        series.turns().stream()
                                .map(Figures.Turn::apart)
                                .map(a -> a.isNaN() ? null : a)
                                .toList(),
                "usual", series.turns().stream().map(usual.turns()::contains).toList(),
                "samples",
                        series.turns().stream()
                                .map(t -> Arrays.stream(t.samples()).boxed().toList())
                                .toList());
    }

    private static Map<String, Object> ordered(Object... pairs) {
        var map = new LinkedHashMap<String, Object>();
        for (int i = 0; i < pairs.length; i += 2) {
            map.put((String) pairs[i], pairs[i + 1]);
        }
        return map;
    }
}
