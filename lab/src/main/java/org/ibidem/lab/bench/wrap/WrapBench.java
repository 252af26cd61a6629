package org.ibidem.lab.bench.wrap;

import java.io.IOException;
import java.io.PrintStream;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.ibidem.lab.bench.sites.Pairs;

/// `./bench wrap`: one server, and one client that reaches it as it is, then wrapped, by turns.
/// What counts is the median over the rounds.
public final class WrapBench {
    private static final String KNOWN = "known: --rounds N, --quick";
    private static final double NANOS_PER_MICRO = 1e3;
    private static final double BITS_PER_GIGABIT = 1e9;
    private static final int MOST_BUSY = 50;
    private static final long BUSY_MILLIS = 100;
    private static final List<Way> CARRYING =
            List.of(Way.ALONE, Way.DIRECT, Way.CARRIED, Way.SEALED, Way.TUNNEL, Way.WIRE);

    private final Programs programs;
    private final int rounds;
    private final boolean quick;
    private final PrintStream out;

    private WrapBench(Programs programs, int rounds, boolean quick, PrintStream out) {
        this.programs = programs;
        this.rounds = rounds;
        this.quick = quick;
        this.out = out;
    }

    /// What is measured of a client.
    private interface Measure {
        double of(Way way) throws IOException, InterruptedException;
    }

    /// Runs it from the command line, and prints its table.
    public static void run(String... arguments) throws Exception {
        int rounds = 10;
        boolean quick = false;
        for (int i = 0; i < arguments.length; i++) {
            if (arguments[i].equals("--quick")) {
                quick = true;
                rounds = 1;
            } else if (arguments[i].equals("--rounds")
                    && i + 1 < arguments.length
                    && arguments[i + 1].matches("[1-9][0-9]{0,3}")) {
                rounds = Integer.parseInt(arguments[++i]);
            } else {
                throw new IllegalArgumentException(
                        "unknown option '" + arguments[i] + "'; " + KNOWN);
            }
        }
        if (!Programs.there("cc")) {
            throw new IllegalArgumentException("there is no C compiler: ./ibidem setup");
        }
        play(rounds, quick, System.out);
    }

    /// The same, told to `out`.
    static void play(int rounds, boolean quick, PrintStream out) throws Exception {
        var folder = Files.createTempDirectory("ibidem-wrap");
        try (var programs = new Programs(folder)) {
            new WrapBench(programs, rounds, quick, out).play();
        } finally {
            remove(folder);
        }
    }

    private static void remove(Path folder) throws IOException {
        try (var all = Files.walk(folder)) {
            for (var each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        }
    }

    private void play() throws IOException, InterruptedException {
        out.printf(
                "Native beside wrapped, medians of %d rounds; in brackets: times what it is without Ibidem.%n%n",
                rounds);
        connects();
        redis();
        iperf();
        corba();
        postgres();
    }

    /// By turns, in an order that moves on by one with every round.
    private Map<Way, Double> turns(List<Way> ways, Measure measure)
            throws IOException, InterruptedException {
        var all = new LinkedHashMap<Way, List<Double>>();
        for (var way : ways) {
            measure.of(way); // warm
        }
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < ways.size(); i++) {
                var way = ways.get((round + i) % ways.size());
                all.computeIfAbsent(way, _ -> new ArrayList<>()).add(measure.of(way));
            }
        }
        var medians = new LinkedHashMap<Way, Double>();
        for (var way : ways) {
            medians.put(way, Pairs.median(all.getOrDefault(way, List.of())));
        }
        return medians;
    }

    private void print(String what, String unit, Map<Way, Double> medians) {
        double alone = medians.getOrDefault(Way.ALONE, Double.NaN);
        out.println(what);
        medians.forEach((way, value) ->
                out.printf(
                        Locale.ROOT,
                        "  %-20s %10.1f %s (%.2f)%n",
                        way.name(),
                        value,
                        unit,
                        value / alone));
        out.println();
    }

    private void connects() throws IOException, InterruptedException {
        var port = programs.serve("", programs.dial(), "serve");
        var count = quick ? "20" : "500";
        var medians =
                turns(
                        List.of(Way.ALONE, Way.ELSEWHERE, Way.DIRECT, Way.CARRIED),
                        way ->
                                Pairs.median(
                                        programs.run(way, programs.dial(), way.host(), port, count)
                                                .lines()
                                                .map(nanos ->
                                                        Double.parseDouble(nanos) / NANOS_PER_MICRO)
                                                .toList()));
        print("connect", "us", medians);
        double more =
                medians.getOrDefault(Way.DIRECT, Double.NaN)
                        - medians.getOrDefault(Way.ALONE, Double.NaN);
        out.printf(
                Locale.ROOT,
                "aim: a connect on one machine takes 15 us more at most: %.1f, %s%n%n",
                more,
                more <= 15 ? "met" : "missed");
    }

    private static String freePort() throws IOException {
        try (var here = new ServerSocket(0)) {
            return String.valueOf(here.getLocalPort());
        }
    }

    private void redis() throws IOException, InterruptedException {
        if (!Programs.there("redis-server", "redis-benchmark")) {
            out.println("redis: not installed; ./ibidem setup");
            return;
        }
        var port = freePort();
        programs.serve(
                "Ready to accept",
                "redis-server",
                "--port",
                port,
                "--save",
                "",
                "--protected-mode",
                "no");
        for (var clients : List.of("1", "20")) {
            var medians = turns(carrying(), way -> redis(way, port, clients));
            print(
                    "redis-benchmark, GET of 1 KiB, %s at a time".formatted(clients),
                    "per s",
                    medians);
            aim("redis", medians);
        }
    }

    private static List<Way> carrying() {
        return CARRYING.stream()
                .filter(way -> !way.equals(Way.TUNNEL) || Tunnels.there())
                .filter(way -> !way.equals(Way.WIRE) || Wires.there())
                .toList();
    }

    /// What is carried as secretly as by others shall be as fast.
    private void aim(String what, Map<Way, Double> medians) {
        for (var other : List.of(Way.TUNNEL, Way.WIRE)) {
            if (!medians.containsKey(other)) {
                out.printf("%s: not installed, or not root; ./ibidem setup%n", other.name());
                continue;
            }
            double ratio =
                    medians.getOrDefault(Way.SEALED, Double.NaN)
                            / medians.getOrDefault(other, Double.NaN);
            out.printf(
                    Locale.ROOT,
                    "aim: %s by tls is as fast as by %s: %.2f times, %s%n",
                    what,
                    other.name(),
                    ratio,
                    ratio >= 1 ? "met" : "missed");
        }
        out.println();
    }

    private double redis(Way way, String port, String clients)
            throws IOException, InterruptedException {
        var said =
                programs.run(
                        way,
                        "redis-benchmark",
                        "-h",
                        way.host(),
                        "-p",
                        programs.port(way, port),
                        "-n",
                        quick ? "200" : "10000",
                        "-c",
                        clients,
                        "-d",
                        "1024",
                        "-t",
                        "get",
                        "--csv");
        return number("\"GET\",\"([0-9.]+)\"", said);
    }

    private void iperf() throws IOException, InterruptedException {
        if (!Programs.there("iperf3")) {
            out.println("iperf3: not installed; ./ibidem setup");
            return;
        }
        var port = freePort();
        programs.serve("listening", "iperf3", "-s", "-p", port, "--forceflush");
        var medians = turns(carrying(), way -> iperf(way, port));
        print("iperf3, one stream", "Gbit/s", medians);
        aim("iperf3", medians);
    }

    private double iperf(Way way, String port) throws IOException, InterruptedException {
        String[] command = {
            "iperf3",
            "-J",
            "-c",
            way.host(),
            "-p",
            programs.port(way, port),
            "-n",
            quick ? "10M" : "1G"
        };
        var said = programs.run(way, command);
        // It still ends the test before, of which the client has ended, or listens again only now.
        for (int i = 0; i < MOST_BUSY && isBetweenTests(said); i++) {
            Thread.sleep(BUSY_MILLIS);
            said = programs.run(way, command);
        }
        return number("(?s)\"sum_received\".*?\"bits_per_second\":\\s*([0-9.e+]+)", said)
                / BITS_PER_GIGABIT;
    }

    private static boolean isBetweenTests(String said) {
        return said.contains("the server is busy") || said.contains("Connection refused");
    }

    private void corba() throws IOException, InterruptedException {
        if (!Corba.there()) {
            out.println("omniORB: not installed; ./ibidem setup");
            return;
        }
        var object = new Corba(programs, freePort());
        var medians = turns(carrying(), way -> corba(way, object));
        print("omniORB, a call with 1 KiB and back, 1 at a time", "per s", medians);
        aim("omniORB", medians);
    }

    private double corba(Way way, Corba object) throws IOException, InterruptedException {
        var at = programs.port(way, object.port());
        var said = programs.run(way, object.client(way.host(), at, quick ? 50 : 5_000));
        return number("([0-9.]+) calls a second", said);
    }

    private void postgres() throws IOException, InterruptedException {
        if (!Database.there()) {
            out.println("PostgreSQL: not installed; ./ibidem setup");
            return;
        }
        var database = new Database(programs, freePort());
        var medians = turns(carrying(), way -> postgres(way, database));
        print("pgbench -S, 4 at a time", "per s", medians);
        aim("pgbench", medians);
    }

    private double postgres(Way way, Database database) throws IOException, InterruptedException {
        var at = programs.port(way, database.port());
        var said = programs.run(way, database.client(way.host(), at, quick ? 20 : 2_000));
        return number("tps = ([0-9.]+) .*without initial", said);
    }

    private static double number(String pattern, String said) throws IOException {
        var found = Pattern.compile(pattern).matcher(said);
        if (!found.find()) {
            throw new IOException("it says nothing of its speed: " + said);
        }
        return Double.parseDouble(found.group(1));
    }
}
