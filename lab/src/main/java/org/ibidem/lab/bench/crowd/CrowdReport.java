package org.ibidem.lab.bench.crowd;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.ibidem.lab.bench.figures.Json;

/// What a run comes to: a table, and a JSON file of the same kind that duels write, so that
/// `./bench plot` draws it.
final class CrowdReport {
    private static final int NAME = 18;
    private static final int MOST_SAMPLES = 200;

    private final CrowdOptions options;
    private final Map<CrowdMeasure, Map<Way, List<double[]>>> figures =
            new EnumMap<>(CrowdMeasure.class);

    CrowdReport(CrowdOptions options) {
        this.options = options;
    }

    /// Adds what one way came to in one round.
    void add(CrowdMeasure measure, Way way, double... samples) {
        figures.computeIfAbsent(measure, _ -> new LinkedHashMap<>())
                .computeIfAbsent(way, _ -> new ArrayList<>())
                .add(samples);
    }

    /// Prints the table.
    void print(PrintStream out) {
        out.printf(
                "%d members in one pool, in %d processes; %d rounds%n%n",
                options.members(), options.processes(), options.rounds());
        figures.forEach((measure, ways) -> {
            out.printf(
                    "%-" + NAME + "s %12s %12s %12s  %s%n",
                    measure.title(),
                    "best decile",
                    "median",
                    "worst 1 %",
                    measure.unit());
            ways.forEach((way, rounds) -> {
                var all = all(rounds);
                out.printf(
                        Locale.ROOT,
                        "  %-" + (NAME - 2) + "s %12s %12s %12s%n",
                        way.name(),
                        three(best(measure, all)),
                        three(at(all, 0.5)),
                        three(at(all, measure.moreIsBetter() ? 0.01 : 0.99)));
            });
            out.println();
        });
        options.ways().forEach(way -> out.printf("%-" + NAME + "s %s%n", way.name(), way.about()));
        out.flush();
    }

    /// Writes the JSON file.
    void write() throws IOException {
        var measures = new LinkedHashMap<String, Object>();
        figures.forEach((measure, ways) -> {
            var contestants = new LinkedHashMap<String, Object>();
            ways.forEach((way, rounds) -> contestants.put(way.name(), tree(measure, rounds)));
            measures.put(
                    measure.title(),
                    ordered(
                            "unit", measure.unit(),
                            "moreIsBetter", measure.moreIsBetter(),
                            "contestants", contestants));
        });
        var all =
                ordered(
                        "benchmark",
                        "registry",
                        "about",
                        options.members() + " members in one pool",
                        "java",
                        Runtime.version().toString(),
                        "measures",
                        measures);
        var folder = options.json().toAbsolutePath().getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
        Files.writeString(options.json(), Json.write(all));
    }

    private static Map<String, Object> tree(CrowdMeasure measure, List<double[]> rounds) {
        var all = all(rounds);
        return ordered(
                "waits", "select",
                "best", best(measure, all),
                "median", at(all, 0.5),
                "samples",
                        rounds.stream()
                                .map(CrowdReport::thinned)
                                .map(samples -> Arrays.stream(samples).boxed().toList())
                                .toList());
    }

    // Thousands of nodes hear of each event; a picture needs no more than some of them.
    private static double[] thinned(double[] samples) {
        if (samples.length <= MOST_SAMPLES) {
            return samples;
        }
        var thin = new double[MOST_SAMPLES];
        for (int i = 0; i < MOST_SAMPLES; i++) {
            thin[i] = at(samples, i / (MOST_SAMPLES - 1.0));
        }
        return thin;
    }

    private static double best(CrowdMeasure measure, double[] all) {
        return at(all, measure.moreIsBetter() ? 0.9 : 0.1);
    }

    private static double[] all(List<double[]> rounds) {
        return rounds.stream().flatMapToDouble(Arrays::stream).toArray();
    }

    private static double at(double[] values, double share) {
        var sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[(int) Math.round(share * (sorted.length - 1))];
    }

    private static String three(double value) {
        int decimals = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3;
        return String.format(Locale.ROOT, "%." + decimals + "f", value);
    }

    private static Map<String, Object> ordered(Object... pairs) {
        var map = new LinkedHashMap<String, Object>();
        for (int i = 0; i < pairs.length; i += 2) {
            map.put((String) pairs[i], pairs[i + 1]);
        }
        return map;
    }
}
