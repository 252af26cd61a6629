package org.ibidem.lab.bench.wan;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Figures 9 and 10 of the paper on NetIbis (Denis, Aumage, Hofman, Verstoep, Kielmann, Bal, HPDC
/// 2004): the peaks that its text gives, and how the same is called here.
final class Paper {
    private static final double MEGA = 1e6;
    private static final String PARALLEL = "parallel(4) > tcp";
    private static final String ZLIB = "compress(codec=deflate) > tcp";

    /// A figure of a line. Both were measured in 2004, and have lines of a laboratory here.
    ///
    /// @param title for people
    /// @param line that is as theirs was
    /// @param methods from left to right
    record Figure(String title, WanLine line, List<Method> methods) {}

    /// A method of theirs.
    ///
    /// @param name as the paper has it
    /// @param peak MB/s; 0: they had none
    /// @param way the same here
    record Method(String name, double peak, String way) {}

    static final List<Figure> FIGURES =
            List.of(
                    new Figure(
                            "figure 9: Amsterdam to Rennes",
                            WanLine.ALL.get(0),
                            List.of(
                                    new Method("TCP", 0.9, WanOptions.PLAIN),
                                    new Method("4 streams", 1.5, PARALLEL),
                                    new Method("zlib", 3.25, ZLIB),
                                    new Method(
                                            "zlib, 4 streams",
                                            3.4,
                                            "compress(codec=deflate) > " + PARALLEL),
                                    new Method("auto", 0, WanOptions.AUTO))),
                    new Figure(
                            "figure 10: Delft to Sophia",
                            WanLine.ALL.get(1),
                            List.of(
                                    new Method("TCP", 1.7, WanOptions.PLAIN),
                                    new Method("4 streams", 4.6, PARALLEL),
                                    new Method("8 streams", 7.95, "parallel(8) > tcp"),
                                    new Method("zlib", 5, ZLIB),
                                    new Method(
                                            "zlib, 8 streams",
                                            3.5,
                                            "compress(codec=deflate) > parallel(8) > tcp"),
                                    new Method("auto", 0, WanOptions.AUTO))));

    private Paper() {}

    /// Their lines.
    static List<WanLine> lines() {
        return FIGURES.stream().map(Figure::line).toList();
    }

    /// All that they did, and what decides by itself.
    static List<String> ways() {
        return FIGURES.stream()
                .flatMap(figure -> figure.methods.stream())
                .map(Method::way)
                .distinct()
                .flatMap(way ->
                        way.equals(WanOptions.AUTO)
                                ? Stream.of(way, WanOptions.AGAIN)
                                : Stream.of(way))
                .toList();
    }

    /// Those figures whose lines were measured, for a picture.
    ///
    /// @param results of text, by line and way
    static List<Map<String, Object>> beside(Map<WanLine, Map<String, Result>> results) {
        return FIGURES.stream()
                .filter(figure -> results.containsKey(figure.line))
                .map(figure -> figure(figure, results.getOrDefault(figure.line, Map.of())))
                .toList();
    }

    private static Map<String, Object> figure(Figure figure, Map<String, Result> results) {
        var bars = new ArrayList<Map<String, Object>>();
        for (var method : figure.methods) {
            var bar = new LinkedHashMap<String, Object>();
            bar.put("name", method.name);
            bar.put("theirs", method.peak);
            var ours = results.get(method.way);
            bar.put("ours", ours == null ? 0.0 : Math.round(ours.rate() / MEGA * 1e3) / 1e3);
            bars.add(bar);
        }
        var all = new LinkedHashMap<String, Object>();
        all.put("title", figure.title + " (" + figure.line + ")");
        all.put("capacity", figure.line.rate() / MEGA);
        all.put("bars", bars);
        return all;
    }
}
