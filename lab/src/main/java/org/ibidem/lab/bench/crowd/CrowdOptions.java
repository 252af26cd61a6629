package org.ibidem.lab.bench.crowd;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/// What the command line says about one run.
///
/// @param members of the pool
/// @param processes that they are in
/// @param rounds in which all ways take turns
/// @param json the file to write
/// @param ways who takes part
record CrowdOptions(int members, int processes, int rounds, Path json, List<Way> ways) {
    private static final String USAGE =
            "known: --quick, --full (10 000 members), --members N, --processes N, --rounds N,"
                    + " --json FILE, --only WAY (repeatable)";
    private static final int USUAL = 2_000;
    private static final int MANY = 10_000;
    private static final int FEW = 60;

    /// Reads the arguments that follow the benchmark's name.
    ///
    /// @throws IllegalArgumentException that says what is known
    static CrowdOptions parse(String... arguments) {
        var options =
                new CrowdOptions(
                        USUAL, 4, 3, Path.of("target", "bench", "registry.json"), Way.USUAL);
        var words = List.of(arguments).iterator();
        while (words.hasNext()) {
            options = options.with(words.next(), words);
        }
        return options;
    }

    private CrowdOptions with(String word, Iterator<String> words) {
        return switch (word) {
            case "--quick" -> new CrowdOptions(FEW, 2, 1, json, ways);
            case "--full" -> new CrowdOptions(MANY, 5, 1, json, Way.FOR_MANY);
            case "--members" ->
                    new CrowdOptions(number(word, words), processes, rounds, json, ways);
            case "--processes" ->
                    new CrowdOptions(members, number(word, words), rounds, json, ways);
            case "--rounds" ->
                    new CrowdOptions(members, processes, number(word, words), json, ways);
            case "--json" ->
                    new CrowdOptions(members, processes, rounds, Path.of(value(word, words)), ways);
            case "--only" -> {
                var name = value(word, words);
                boolean first = ways.equals(Way.USUAL) || ways.equals(Way.FOR_MANY);
                var more = first ? List.<Way>of() : ways;
                var way = named(name);
                var all = new ArrayList<>(more);
                all.add(way);
                yield new CrowdOptions(members, processes, rounds, json, List.copyOf(all));
            }
            default ->
                    throw new IllegalArgumentException("unknown option '" + word + "'; " + USAGE);
        };
    }

    private static Way named(String name) {
        return Way.USUAL.stream()
                .filter(way -> way.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no way is called " + name));
    }

    private static int number(String option, Iterator<String> words) {
        int number = Integer.parseInt(value(option, words));
        if (number < 1) {
            throw new IllegalArgumentException(option + " wants 1 or more; " + USAGE);
        }
        return number;
    }

    private static String value(String option, Iterator<String> words) {
        if (!words.hasNext()) {
            throw new IllegalArgumentException(option + " wants a value; " + USAGE);
        }
        return words.next();
    }
}
