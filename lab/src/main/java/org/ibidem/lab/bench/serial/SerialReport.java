package org.ibidem.lab.bench.serial;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.ibidem.lab.bench.figures.Aim;
import org.ibidem.lab.bench.figures.Figures;
import org.ibidem.lab.bench.figures.Json;

/// What a run comes to.
///
/// @param figures what was measured
/// @param sizes bytes, by work and contestant
/// @param works which were measured
/// @param contestants who took part
record SerialReport(
        Figures figures, Map<String, Integer> sizes, List<String> works, List<String> contestants) {
    private static final double KILO = 1000;

    private static List<Aim> aims() {
        var ours = Coders.OURS;
        var aims = new ArrayList<Aim>();
        aims.add(new Aim.Ratio("tree", ours, "fory", 1.8));
        aims.add(new Aim.Limit("tree", ours, "hand-table", 0.87));
        aims.add(new Aim.Ratio("order", ours, "fory", 1.25));
        aims.add(new Aim.Limit("order", ours, "hand", 0.83));
        for (var half : List.of("tree-write", "tree-read", "order-write", "order-read")) {
            aims.add(new Aim.Ratio(half, ours, "fory", 1.0));
        }
        for (var array : List.of("byte-100kB", "int-100kB", "double-100kB")) {
            aims.add(new Aim.Limit(array, ours, "hand", 0.95));
        }
        aims.add(new Aim.Ratio("cold", ours, "kryo", 1.0));
        return aims;
    }

    void print(PrintStream out) {
        for (var work : works) {
            table(out, work);
        }
        if (figures.series("cold", Coders.OURS).isPresent()) {
            out.println("first graph of a fresh process, written and read (order)");
            for (var contestant : contestants) {
                figures.series("cold", contestant)
                        .ifPresent(s ->
                                out.printf(
                                        Locale.ROOT,
                                        "  %-16s %10.1f ms median%n",
                                        contestant,
                                        s.median() / KILO / KILO));
            }
            out.println();
        }
        aims().stream().flatMap(aim -> aim.lines(figures).stream()).forEach(out::println);
        out.flush();
    }

    private void table(PrintStream out, String work) {
        out.printf(
                "%-18s %10s %10s %10s %10s %10s %10s %9s %9s%n",
                work,
                "write us",
                "read us",
                "both us",
                "w median",
                "r median",
                "bytes",
                "w B all",
                "r B all");
        for (var contestant : contestants) {
            var write = figures.series(work + "-write", contestant);
            var read = figures.series(work + "-read", contestant);
            var both = figures.series(work, contestant);
            if (write.isPresent() && read.isPresent() && both.isPresent()) {
                out.printf(
                        Locale.ROOT,
                        "  %-16s %10.2f %10.2f %10.2f %10.2f %10.2f %10d %9.0f %9.0f%n",
                        contestant,
                        write.get().best() / KILO,
                        read.get().best() / KILO,
                        both.get().best() / KILO,
                        write.get().median() / KILO,
                        read.get().median() / KILO,
                        sizes.getOrDefault(work + " " + contestant, 0),
                        write.get().allocated(),
                        read.get().allocated());
            }
        }
        out.println();
    }

    /// In the form of the other benchmarks, of which pictures are drawn.
    void write(Path file) throws IOException {
        var measures = new LinkedHashMap<String, Object>();
        for (var work : works) {
            for (var measure : List.of(work + "-write", work + "-read")) {
                var rows = new LinkedHashMap<String, Object>();
                for (var contestant : contestants) {
                    figures.series(measure, contestant)
                            .ifPresent(s -> rows.put(contestant, row(s)));
                }
                var tree = new LinkedHashMap<String, Object>();
                tree.put("unit", "ns");
                tree.put("moreIsBetter", false);
                tree.put("contestants", rows);
                measures.put(measure, tree);
            }
        }
        var all = new LinkedHashMap<String, Object>();
        all.put("benchmark", "serialization");
        all.put("about", "object graphs to memory and back");
        all.put("java", Runtime.version().toString());
        all.put("measures", measures);
        all.put("lines", aims().stream().flatMap(aim -> aim.lines(figures).stream()).toList());
        Files.createDirectories(file.toAbsolutePath().resolveSibling("."));
        Files.writeString(file, Json.write(all));
    }

    private static Map<String, Object> row(Figures.Series series) {
        var row = new LinkedHashMap<String, Object>();
        row.put("waits", "none");
        row.put("best", series.best());
        row.put("median", series.median());
        row.put("allocated", series.allocated());
        row.put(
                "samples",
                series.turns().stream()
                        .map(turn -> Arrays.stream(turn.samples()).boxed().toList())
                        .toList());
        return row;
    }
}
