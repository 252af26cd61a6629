package org.ibidem.lab.bench.wan;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/// What is measured.
///
/// @param lines over which
/// @param seconds of a transfer that count
/// @param apart seconds before those
/// @param rounds of which the median counts
/// @param ways the stacks, and what else there is
/// @param materials what is sent
record WanOptions(
        List<WanLine> lines,
        int seconds,
        int apart,
        int rounds,
        List<String> ways,
        List<Material> materials) {
    static final String PLAIN = "plain socket";

    /// The second transfer of a node, which knows the line by then.
    static final String AGAIN = "auto, again";

    static final String AUTO = "auto";

    private static final List<String> WAYS =
            List.of(PLAIN, "parallel(8) > tcp", "compress > tcp", AUTO, AGAIN);
    private static final List<String> MORE =
            List.of(
                    "parallel(4) > tcp",
                    "parallel(32) > tcp",
                    "compress(codec=deflate) > tcp",
                    "compress(codec=zstd) > tcp",
                    "compress(codec=deflate) > parallel(8) > tcp",
                    "compress(codec=zstd) > parallel(8) > tcp",
                    Iperf.NAME + " -P 1",
                    Iperf.NAME + " -P 4",
                    Iperf.NAME + " -P 8",
                    Iperf.NAME + " -P 32",
                    "scp",
                    "rsync -z");
    private static final WanOptions SHORT =
            new WanOptions(WanLine.ALL, 3, 3, 1, WAYS, List.of(Material.TEXT, Material.RANDOM));
    private static final String KNOWN =
            "known: --long, --paper, --line N (1 to 5), --seed N, --seconds N, --rounds N, --only STACK,"
                    + " --data text, random or changing";

    /// From the command line.
    static WanOptions parse(String... arguments) {
        var options = SHORT;
        for (int i = 0; i < arguments.length; i++) {
            if (arguments[i].equals("--long")) {
                var ways = Stream.concat(WAYS.stream(), MORE.stream()).toList();
                options = new WanOptions(options.lines, 17, 3, 3, ways, List.of(Material.values()));
            } else if (arguments[i].equals("--paper")) {
                options =
                        new WanOptions(
                                Paper.lines(),
                                options.seconds,
                                options.apart,
                                options.rounds,
                                Paper.ways(),
                                List.of(Material.TEXT));
            } else {
                var name = arguments[i];
                options = options.with(name, ++i < arguments.length ? arguments[i] : "");
            }
        }
        return options;
    }

    private WanOptions with(String option, String value) {
        return switch (option) {
            case "--line" -> lines(List.of(WanLine.ALL.get(number(option, value, 5) - 1)));
            case "--seed" -> lines(WanLine.drawn(number(option, value, Integer.MAX_VALUE)));
            case "--seconds" ->
                    new WanOptions(
                            lines, number(option, value, 600), apart, rounds, ways, materials);
            case "--rounds" ->
                    new WanOptions(
                            lines, seconds, apart, number(option, value, 99), ways, materials);
            case "--only" ->
                    new WanOptions(
                            lines,
                            seconds,
                            apart,
                            rounds,
                            Arrays.stream(value.split(";", -1)).map(String::strip).toList(),
                            materials);
            case "--data" ->
                    new WanOptions(lines, seconds, apart, rounds, ways, List.of(material(value)));
            default ->
                    throw new IllegalArgumentException("unknown option '" + option + "'; " + KNOWN);
        };
    }

    private WanOptions lines(List<WanLine> these) {
        return new WanOptions(these, seconds, apart, rounds, ways, materials);
    }

    private static Material material(String value) {
        return switch (value) {
            case "text" -> Material.TEXT;
            case "random" -> Material.RANDOM;
            case "changing" -> Material.CHANGING;
            default ->
                    throw new IllegalArgumentException(
                            "there is no data '" + value + "'; " + KNOWN);
        };
    }

    private static int number(String option, String value, int most) {
        if (value.matches("[1-9][0-9]{0,8}") && Integer.parseInt(value) <= most) {
            return Integer.parseInt(value);
        }
        throw new IllegalArgumentException(
                option + " is a number from 1 to " + most + ", not '" + value + "'; " + KNOWN);
    }
}
