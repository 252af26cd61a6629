package org.ibidem.lab.bench.satin;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.ibidem.lab.bench.figures.Json;
import org.ibidem.lab.bench.sites.Pairs;

/// What a run comes to, as the JSON file from which `./bench plot satin` draws.
final class Outcome {
    private final Map<String, Map<String, Object>> measures = new LinkedHashMap<>();
    private final Map<String, Map<String, Object>> contestants = new LinkedHashMap<>();
    private final List<String> lines = new ArrayList<>();

    /// What one contestant did, less of which is better.
    ///
    /// @param samples in the unit, at least one
    void add(String measure, String unit, String contestant, List<Double> samples) {
        var those =
                contestants.computeIfAbsent(
                        measure,
                        _ -> {
                            var fresh = new LinkedHashMap<String, Object>();
                            var about = new LinkedHashMap<String, Object>();
                            about.put("unit", unit);
                            about.put("moreIsBetter", false);
                            about.put("contestants", fresh);
                            measures.put(measure, about);
                            return fresh;
                        });
        var its = new LinkedHashMap<String, Object>();
        its.put("waits", "none");
        its.put("best", Pairs.bestDecile(samples));
        its.put("median", Pairs.median(samples));
        its.put("samples", List.of(samples));
        those.put(contestant, its);
    }

    /// One of the lines at the end, `ratio …` or `limit …`.
    void line(String line) {
        lines.add(line);
    }

    /// Writes the file, and the folder it is in.
    void write(Path file) throws IOException {
        var all = new LinkedHashMap<String, Object>();
        all.put("benchmark", "satin");
        all.put(
                "about",
                "Spawned calls against a ForkJoinPool and sequential programs, two processes, two sites");
        all.put("java", Runtime.version().toString());
        all.put("measures", measures);
        all.put("lines", lines);
        var folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
        Files.writeString(file, Json.write(all));
    }
}
