package org.ibidem.lab.bench.sites;

import java.util.List;

/// What is computed, on what network, and in what slices.
///
/// @param size cells of each side of the plate
/// @param every so many iterations there is a reduction
/// @param delay one way between the sites
/// @param hosts of each site: 1, on which both its processes run, or 2
/// @param slices over each stack
/// @param millis of a slice, about
record Plates(int size, int every, String delay, int hosts, int slices, int millis) {
    private static final Plates USUAL = new Plates(256, 16, "0.1ms", 1, 60, 250);
    private static final Plates QUICK = new Plates(128, 16, "0.1ms", 1, 4, 20);
    private static final String KNOWN =
            "known: --size N, --reduce-every N, --delay 1ms, --hosts 1 or 2, --slices N, --millis N,"
                    + " or --quick alone";

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

    private Plates with(String option, String value) {
        return switch (option) {
            case "--size" -> new Plates(number(option, value), every, delay, hosts, slices, millis);
            case "--reduce-every" ->
                    new Plates(size, number(option, value), delay, hosts, slices, millis);
            case "--delay" -> new Plates(size, every, value, hosts, slices, millis);
            case "--hosts" -> new Plates(size, every, delay, number(option, value), slices, millis);
            case "--slices" -> new Plates(size, every, delay, hosts, number(option, value), millis);
            case "--millis" -> new Plates(size, every, delay, hosts, slices, number(option, value));
            default ->
                    throw new IllegalArgumentException("unknown option '" + option + "'; " + KNOWN);
        };
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
        return this == QUICK ? 2 : Math.max(5, 5000 / millis);
    }

    /// For people.
    String text() {
        return "sor, "
                + size
                + " x "
                + size
                + " cells, a reduction each "
                + (every == 1 ? "iteration" : every + " iterations")
                + ", two sites "
                + delay
                + " apart with two processes each, "
                + (hosts == 1 ? "on one host" : "on a host each");
    }
}
