package org.ibidem.lab.bench.plot;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.ibidem.lab.bench.figures.Json;
import org.jspecify.annotations.Nullable;

/// The JSON file of one run, as far as a picture needs it.
///
/// @param benchmark its name
/// @param about one line for people
/// @param panels one for each measure
record Recorded(String benchmark, String about, List<Panel> panels) {
    /// One measure.
    ///
    /// @param measure its name
    /// @param unit of its figures
    /// @param moreIsBetter whether a larger figure is the better one
    /// @param rows one for each contestant
    record Panel(String measure, String unit, boolean moreIsBetter, List<Row> rows) {
        double least() {
            return rows.stream().mapToDouble(r -> r.samples[0]).min().orElse(1);
        }

        double most() {
            return rows.stream().mapToDouble(r -> r.samples[r.samples.length - 1]).max().orElse(1);
        }
    }

    /// One contestant.
    ///
    /// @param name its name
    /// @param waits how it waits
    /// @param best the best decile
    /// @param median the median
    /// @param samples the middle eight tenths of those that best and median are of, in order
    record Row(String name, String waits, double best, double median, double[] samples) {}

    /// Whether nobody waits for messages: those who only compute need no colors for how.
    boolean onlyComputes() {
        return panels.stream()
                .allMatch(panel -> panel.rows.stream().allMatch(row -> row.waits.equals("none")));
    }

    /// Reads it.
    ///
    /// @throws IllegalArgumentException when it is no such file
    static Recorded read(String text) {
        var all = map(Json.read(text));
        var panels = new ArrayList<Panel>();
        map(all.get("measures")).forEach((name, measure) -> panels.add(panel(name, map(measure))));
        return new Recorded(string(all.get("benchmark")), string(all.get("about")), panels);
    }

    private static Panel panel(String name, Map<String, @Nullable Object> measure) {
        var rows = new ArrayList<Row>();
        map(measure.get("contestants")).forEach((who, row) -> rows.add(row(who, map(row))));
        return new Panel(
                name,
                string(measure.get("unit")),
                Boolean.TRUE.equals(measure.get("moreIsBetter")),
                rows);
    }

    private static Row row(String name, Map<String, @Nullable Object> row) {
        var turns = list(row.get("samples"));
        var usual = row.get("usual") instanceof List<?> known ? known : List.of();
        var samples =
                IntStream.range(0, turns.size())
                        .filter(turn -> usual.isEmpty() || Boolean.TRUE.equals(usual.get(turn)))
                        .mapToObj(turn -> list(turns.get(turn)))
                        .flatMap(List::stream)
                        .mapToDouble(Recorded::number)
                        .sorted()
                        .toArray();
        int tail = samples.length / 10;
        return new Row(
                name,
                string(row.get("waits")),
                number(row.get("best")),
                number(row.get("median")),
                Arrays.copyOfRange(samples, tail, samples.length - tail));
    }

    @SuppressWarnings("unchecked") // Json makes no other maps
    static Map<String, @Nullable Object> map(@Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            return (Map<String, @Nullable Object>) map;
        }
        throw wrong("a map", value);
    }

    static List<?> list(@Nullable Object value) {
        if (value instanceof List<?> list) {
            return list;
        }
        throw wrong("a list", value);
    }

    static String string(@Nullable Object value) {
        if (value instanceof String string) {
            return string;
        }
        throw wrong("a text", value);
    }

    static double number(@Nullable Object value) {
        if (value instanceof Double number) {
            return number;
        }
        throw wrong("a number", value);
    }

    private static IllegalArgumentException wrong(String wanted, @Nullable Object got) {
        return new IllegalArgumentException(
                "no file of a benchmark: wanted " + wanted + ", not " + got);
    }
}
