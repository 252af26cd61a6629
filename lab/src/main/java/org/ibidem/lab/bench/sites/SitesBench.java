package org.ibidem.lab.bench.sites;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.ibidem.apps.sor.Slices;
import org.ibidem.hub.Hub;
import org.ibidem.lab.net.Lab;
import org.ibidem.lab.net.Running;
import org.ibidem.lab.net.plan.Kind;
import org.ibidem.lab.net.plan.Network;
import org.ibidem.lab.net.plan.Site;

/// `./bench sites`: `sor` on two sites with two processes each, over `tcp` alone and over
/// `multi(shm, tcp)`, which takes shared memory within a site and TCP between them.
///
/// The same four processes compute over both by turns, a fraction of a second each, in an order
/// that turns round with each pair of slices; what counts is the ratio within pairs. Whole jobs by
/// turns, minutes in all, measure what the machine does meanwhile, and how fast JVMs compile.
///
/// After table 4 of the paper on NetIbis, which had Myrinet within and TCP between, 64 processes on
/// two clusters with a processor each, and a reduction in each iteration.
public final class SitesBench {
    private static final List<String> STACKS = List.of("tcp", "multi(shm, tcp)");
    private static final int RANKS = 4;
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final String PORT = "8888";
    private static final String SLICE = "slice ";

    private final Lab lab;
    private final Plates options;
    private final Path counters;

    private SitesBench(Lab lab, Plates options, Path counters) {
        this.lab = lab;
        this.options = options;
        this.counters = counters;
    }

    /// Runs it from the command line, and prints its table.
    public static void run(String... arguments) throws IOException {
        var options = Plates.parse(arguments);
        var sites =
                Network.of(
                                Site.of("north", Kind.OPEN).hosts(options.hosts()),
                                Site.of("south", Kind.OPEN).hosts(options.hosts()),
                                Site.of("hub", Kind.OPEN).hosts(1))
                        .line("north-south", "delay=" + options.delay());
        var counters = Files.createTempDirectory("ibidem-sites");
        try (var lab = Lab.up(sites)) {
            lab.machine("hub1").java(AtHub.class).said("ready", LIMIT);
            new SitesBench(lab, options, counters).play(System.out);
        } finally {
            for (int rank = 0; rank < RANKS; rank++) {
                Files.deleteIfExists(folder(counters, rank));
            }
            Files.delete(counters);
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

    private void play(PrintStream out) {
        var processes = new ArrayList<Running>();
        for (int rank = 0; rank < RANKS; rank++) {
            processes.add(start(rank));
        }
        for (var process : processes) {
            if (process.code(LIMIT) != 0 || !process.lines().contains("equal true")) {
                throw new IllegalStateException("sor failed: " + process.lines());
            }
        }
        var told = processes.stream().map(SitesBench::slices).toList();
        var all = new ArrayList<Slice>();
        for (int i = 0; i < told.getFirst().size(); i++) {
            int at = i;
            all.add(Slice.together(told.stream().map(slices -> slices.get(at)).toList()));
        }
        print(out, all, Integer.parseInt(processes.getFirst().said("iterations", LIMIT)));
    }

    private static List<Slice> slices(Running process) {
        return process.lines().stream()
                .filter(line -> line.startsWith(SLICE))
                .map(line -> Slice.parse(line.substring(SLICE.length())))
                .toList();
    }

    private Running start(int rank) {
        var site = rank < RANKS / 2 ? "north" : "south";
        var host = site + (1 + rank % options.hosts());
        var jvm =
                List.of(
                        "-XX:TieredStopAtLevel=4",
                        "-Xmx256m",
                        "-Dibidem.hub=" + lab.machine("hub1").address() + ":" + PORT,
                        "-Dibidem.pool=sites",
                        "-Dibidem.open=true",
                        "-Dibidem.rank=" + rank,
                        "-Dibidem.size=" + RANKS,
                        "-Dibidem.monitor=" + folder(counters, rank),
                        "-Dibidem.location=" + host + "@" + site);
        var arguments =
                IntStream.of(
                                options.size(),
                                options.every(),
                                options.millis(),
                                options.warm(),
                                options.slices())
                        .mapToObj(String::valueOf);
        return lab.machine(host)
                .java(
                        jvm,
                        Slices.class,
                        Stream.concat(arguments, STACKS.stream()).toArray(String[]::new));
    }

    private static Path folder(Path counters, int rank) {
        return counters.resolve("" + rank);
    }

    private void print(PrintStream out, List<Slice> all, int iterations) {
        out.println(options.text());
        out.println(
                options.slices() + " pairs of slices of " + iterations + " iterations; of each:");
        out.printf(
                "%-16s %26s %9s %9s %8s %8s %8s %8s%n",
                "stack",
                "best decile and median, us",
                "cpu, us",
                "gave up",
                "lost",
                "spins",
                "sleeps",
                "bells");
        var times = new ArrayList<List<Double>>();
        for (int stack = 0; stack < STACKS.size(); stack++) {
            int which = stack;
            var its = all.stream().filter(slice -> slice.stack() == which).toList();
            var each = its.stream().map(slice -> slice.nanos() / 1e3 / iterations).toList();
            times.add(each);
            out.printf(
                    Locale.ROOT,
                    "%-16s %13.1f %12.1f %9.1f",
                    STACKS.get(stack),
                    Pairs.bestDecile(each),
                    Pairs.median(each),
                    median(its, 0) / 1e3 / iterations);
            for (int kind = 1; kind < Slice.KINDS; kind++) {
                out.printf(Locale.ROOT, " %8.2f", median(its, kind) / iterations);
            }
            out.println();
        }
        out.println(
                "ratio sites multi to tcp: "
                        + new Pairs(times.get(0), times.get(1))
                        + " (aim: above 1; paper 000: 1.39)");
    }

    private static double median(List<Slice> slices, int kind) {
        return Pairs.median(
                slices.stream().map(slice -> (double) slice.spent().get(kind)).toList());
    }
}
