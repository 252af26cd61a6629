package org.ibidem.lab.bench.sites;

import java.util.List;

/// What is computed, and on what network. Runs of two or three seconds measure how fast four JVMs
/// compile their code on the cores there are, and not what comes after; so they are to be longer.
///
/// @param size cells of each side of the plate
/// @param iterations of each run
/// @param delay one way between the sites
/// @param hosts of each site: 1, on which both its processes run, or 2
/// @param rounds runs over each stack
record Plates(int size, int iterations, String delay, int hosts, int rounds) {
    private static final Plates USUAL = new Plates(512, 6000, "0.1ms", 1, 5);
    private static final Plates QUICK = new Plates(256, 16, "1ms", 1, 1);

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
            case "--size" -> new Plates(Integer.parseInt(value), iterations, delay, hosts, rounds);
            case "--iterations" -> new Plates(size, Integer.parseInt(value), delay, hosts, rounds);
            case "--delay" -> new Plates(size, iterations, value, hosts, rounds);
            case "--hosts" -> new Plates(size, iterations, delay, Integer.parseInt(value), rounds);
            case "--rounds" -> new Plates(size, iterations, delay, hosts, Integer.parseInt(value));
            default ->
                    throw new IllegalArgumentException(
                            "unknown option '"
                                    + option
                                    + "'; known: --size N, --iterations N, --delay 1ms, --hosts 1"
                                    + " or 2, --rounds N, or --quick alone");
        };
    }

    /// For people.
    String where() {
        return "two sites "
                + delay
                + " apart with two processes each, "
                + (hosts == 1 ? "on one host" : "on a host each");
    }
}
