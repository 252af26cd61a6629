package org.ibidem.lab.bench.sites;

import java.util.Arrays;
import java.util.List;

/// What is computed, on what network, and in what slices.
///
/// @param size cells of each side of the plate
/// @param every so many iterations there is a reduction; 0: one run as `sor` does unless it is
///   told, and one in each
/// @param delay one way between the sites
/// @param hosts of each site: 1, on which both its processes run, or 2
/// @param slices over each stack
/// @param millis of a slice, about
/// @param stacks the two that are compared
record Plates(
        int size, int every, String delay, int hosts, int slices, int millis, List<String> stacks) {
    private static final int WARM_MILLIS = 5000;
    private static final int BOTH = 0;
    private static final int AS_SOR = 16;
    private static final Plates USUAL =
            new Plates(256, BOTH, "0.1ms", 1, 400, 30, List.of("tcp", "multi(shm, tcp)"));
    private static final Plates QUICK = new Plates(128, BOTH, "0.1ms", 1, 4, 20, USUAL.stacks);
    private static final String KNOWN =
            "known: --size N, --reduce-every N, --delay 1ms, --hosts 1 or 2, --slices N, --millis N,"
                    + " --stacks 'ONE; OTHER', or --quick alone";

    /// From the command line.
    static Plates parse(String... arguments) {
        if (List.of(arguments).equals(List.of("--quick"))) {
            return QUICK;
        }
        var plates = USUAL;
        for (int i = 0; i < arguments.length; i += 2) {
            plates = plates.with(arguments[i], i + 1 < arguments.length ? arguments[i + 1] : "");
        }
        return plates;
    }

    /// The runs that these are.
    List<Plates> runs() {
        return every != BOTH ? List.of(this) : List.of(reducing(AS_SOR), reducing(1));
    }

    private Plates reducing(int iterations) {
        return new Plates(size, iterations, delay, hosts, slices, millis, stacks);
    }

    private Plates with(String option, String value) {
        return switch (option) {
            case "--size" ->
                    new Plates(number(option, value), every, delay, hosts, slices, millis, stacks);
            case "--reduce-every" -> reducing(number(option, value));
            case "--delay" -> new Plates(size, every, value, hosts, slices, millis, stacks);
            case "--hosts" ->
                    new Plates(size, every, delay, number(option, value), slices, millis, stacks);
            case "--slices" ->
                    new Plates(size, every, delay, hosts, number(option, value), millis, stacks);
            case "--millis" ->
                    new Plates(size, every, delay, hosts, slices, number(option, value), stacks);
            case "--stacks" -> new Plates(size, every, delay, hosts, slices, millis, two(value));
            default ->
                    throw new IllegalArgumentException("unknown option '" + option + "'; " + KNOWN);
        };
    }

    private static List<String> two(String value) {
        var two = Arrays.stream(value.split(";", -1)).map(String::strip).toList();
        if (two.size() == 2 && !two.contains("")) {
            return two;
        }
        throw new IllegalArgumentException(
                "--stacks are two with ';' between, not '" + value + "'; " + KNOWN);
    }

    private static int number(String option, String value) {
        if (value.matches("[1-9][0-9]{0,5}")) {
            return Integer.parseInt(value);
        }
        throw new IllegalArgumentException(
                option + " is a number from 1 on, not '" + value + "'; " + KNOWN);
    }

    /// Slices over each stack before those that count: some ten seconds, in which code is compiled.
    int warm() {
        return millis == QUICK.millis ? 2 : Math.max(5, WARM_MILLIS / millis);
    }

    /// How often there is one, for people.
    String reductions() {
        return every == 1 ? "iteration" : every + " iterations";
    }

    /// For people.
    String text() {
        return "sor, "
                + size
                + " x "
                + size
                + " cells, a reduction each "
                + reductions()
                + ", two sites "
                + delay
                + " apart with two processes each, "
                + (hosts == 1 ? "on one host" : "on a host each");
    }
}
