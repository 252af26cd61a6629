package org.ibidem.lab.bench.suite;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.ibidem.lab.bench.duel.Benchmark;
import org.ibidem.lab.bench.duel.Plan;

/// What the command line says about one run.
///
/// @param plan how long everything takes
/// @param json the file to write
/// @param without contestants to leave out
/// @param only measures to play; empty: all
record Options(Plan plan, Path json, Set<String> without, Set<String> only) {
    private static final String USAGE =
            "known: --quick, --rounds N, --json FILE, --without CONTESTANT and --only MEASURE"
                    + " (repeatable)";

    /// Reads the arguments that follow the benchmark's name.
    ///
    /// @throws IllegalArgumentException that says what is known
    static Options parse(Benchmark benchmark, String... arguments) {
        var plan = Plan.FULL;
        var json = Path.of("target", "bench", benchmark.name() + ".json");
        var without = new HashSet<String>();
        var only = new HashSet<String>();
        var words = List.of(arguments).iterator();
        while (words.hasNext()) {
            var word = words.next();
            switch (word) {
                case "--quick" -> plan = Plan.QUICK;
                case "--rounds" -> plan = plan.rounds(Integer.parseInt(value(word, words)));
                case "--json" -> json = Path.of(value(word, words));
                case "--without" -> without.add(benchmark.contestant(value(word, words)).name());
                case "--only" -> only.add(benchmark.measure(value(word, words)).name());
                default ->
                        throw new IllegalArgumentException(
                                "unknown option '" + word + "'; " + USAGE);
            }
        }
        return new Options(plan, json, without, only);
    }

    private static String value(String option, Iterator<String> words) {
        if (!words.hasNext()) {
            throw new IllegalArgumentException(option + " wants a value; " + USAGE);
        }
        return words.next();
    }
}
