package org.ibidem.lab.bench.sites;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.ibidem.apps.sor.Sor;
import org.ibidem.hub.Hub;
import org.ibidem.lab.net.Lab;
import org.ibidem.lab.net.Running;
import org.ibidem.lab.net.plan.Kind;
import org.ibidem.lab.net.plan.Network;
import org.ibidem.lab.net.plan.Site;

/// `./bench sites`: `sor` on two sites with two processes each, over `tcp` alone and over
/// `multi(shm, tcp)`, which takes shared memory within a site and TCP between them. Each has its
/// turn, in an order that changes from round to round; what counts is the time that `sor` says.
///
/// After table 4 of the paper on PadicoTM and NetIbis, which had Myrinet within and TCP between.
public final class SitesBench {
    private static final List<String> STACKS = List.of("tcp", "multi(shm, tcp)");
    private static final int RANKS = 4;
    private static final String TOOK = " iterations in ";
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final String PORT = "8888";

    private final Lab lab;
    private final Plates options;
    private final List<String> work;
    private final Map<String, List<Double>> seconds = new LinkedHashMap<>();
    private int jobs;

    private SitesBench(Lab lab, Plates options, List<String> work) {
        this.lab = lab;
        this.options = options;
        this.work = work;
    }

    /// Runs it from the command line, and prints its table.
    public static void run(String... arguments) {
        var options = Plates.parse(arguments);
        var sites =
                Network.of(
                                Site.of("north", Kind.OPEN).hosts(options.hosts()),
                                Site.of("south", Kind.OPEN).hosts(options.hosts()),
                                Site.of("hub", Kind.OPEN).hosts(1))
                        .line("north-south", "delay=" + options.delay());
        var work = "--size " + options.size() + " --iterations " + options.iterations();
        try (var lab = Lab.up(sites)) {
            lab.machine("hub1").java(AtHub.class).said("ready", LIMIT);
            var bench =
                    new SitesBench(lab, options, List.of((work + " --no-check").split(" ", -1)));
            bench.play(options.rounds());
            bench.print(System.out, work);
        }
    }

    /// The hub of both.
    static final class AtHub {
        private AtHub() {}

        public static void main(String[] arguments) throws IOException {
            try (var _ = Hub.start(Hub.Options.DEFAULT.port(Integer.parseInt(PORT)).open(true))) {
                System.out.println("ready");
                System.in.transferTo(OutputStream.nullOutputStream());
            }
        }
    }

    private void play(int rounds) {
        for (int round = 0; round < rounds; round++) {
            System.err.println("bench: round " + (round + 1) + " of " + rounds);
            for (var stack : round % 2 == 0 ? STACKS : STACKS.reversed()) {
                seconds.computeIfAbsent(stack, _ -> new ArrayList<>()).add(compute(stack));
            }
        }
    }

    private double compute(String stack) {
        jobs++;
        var processes = new ArrayList<Running>();
        for (int rank = 0; rank < RANKS; rank++) {
            processes.add(start(stack, rank));
        }
        var first = processes.getFirst();
        for (var process : processes) {
            if (process.code(LIMIT) != 0) {
                throw new IllegalStateException("sor failed: " + process.lines());
            }
        }
        var line =
                first.lines().stream().filter(each -> each.contains(TOOK)).findAny().orElseThrow();
        var words = line.substring(line.indexOf(TOOK) + TOOK.length()).split(" ", 2);
        return Double.parseDouble(words[0]);
    }

    private Running start(String stack, int rank) {
        var site = rank < RANKS / 2 ? "north" : "south";
        var host = site + (1 + rank % options.hosts());
        var options =
                List.of(
                        "-XX:TieredStopAtLevel=4",
                        "-Xmx256m",
                        "-Dibidem.hub=" + lab.machine("hub1").address() + ":" + PORT,
                        "-Dibidem.pool=sites" + jobs,
                        "-Dibidem.open=true",
                        "-Dibidem.rank=" + rank,
                        "-Dibidem.size=" + RANKS,
                        "-Dibidem.location=" + host + "@" + site);
        var arguments = new ArrayList<>(work);
        arguments.addAll(Arrays.asList("--stack", stack));
        return lab.machine(host).java(options, Sor.class, arguments.toArray(String[]::new));
    }

    private void print(PrintStream out, String what) {
        out.println("sor " + what + ", " + options.where() + "; seconds");
        out.printf("%-18s %8s %8s%n", "stack", "best", "median");
        seconds.forEach((stack, all) ->
                out.printf(Locale.ROOT, "%-18s %8.2f %8.2f%n", stack, best(all), median(all)));
        var tcp = seconds.get("tcp");
        var multi = seconds.get("multi(shm, tcp)");
        if (tcp != null && multi != null) {
            out.printf(
                    Locale.ROOT,
                    "ratio sites multi to tcp: best %.2f, median %.2f (aim: above 1; paper 000: 1.39)%n",
                    best(tcp) / best(multi),
                    median(tcp) / median(multi));
        }
    }

    private static double best(List<Double> all) {
        return all.stream().mapToDouble(Double::doubleValue).min().orElse(Double.NaN);
    }

    private static double median(List<Double> all) {
        return all.stream().sorted().toList().get(all.size() / 2);
    }
}
