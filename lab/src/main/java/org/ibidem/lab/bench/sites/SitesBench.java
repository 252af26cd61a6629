package org.ibidem.lab.bench.sites;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
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
/// two clusters, and a reduction that dominated.
public final class SitesBench {
    private static final int RANKS = 4;
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final String PORT = "8888";
    private static final double NANOS_PER_MICRO = 1e3;
    private static final String SLICE = "slice ";

    private final Lab lab;
    private final Plates options;
    private final Path counters;

    private SitesBench(Lab lab, Plates options, Path counters) {
        this.lab = lab;
        this.options = options;
        this.counters = counters;
    }

    /// Runs it from the command line, and prints its tables.
    public static void run(String... arguments) throws IOException {
        for (var options : Plates.parse(arguments).runs()) {
            run(options);
        }
    }

    private static void run(Plates options) throws IOException {
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
            remove(counters);
        }
    }

    private static void remove(Path folder) throws IOException {
        try (var all = Files.walk(folder)) {
            for (var each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
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
                        Stream.concat(arguments, options.stacks().stream()).toArray(String[]::new));
    }

    private static Path folder(Path counters, int rank) {
        return counters.resolve("" + rank);
    }

    private void print(PrintStream out, List<Slice> all, int iterations) {
        out.println(options.text());
        out.println(
                options.slices() + " pairs of slices of " + iterations + " iterations; of each:");
        out.printf(
                "%-16s %26s %8s %9s %8s %6s %6s %7s %6s%n",
                "stack",
                "best decile and median, us",
                "cpu, us",
                "queue, us",
                "gave up",
                "lost",
                "spins",
                "sleeps",
                "bells");
        var stacks = IntStream.of(0, 1).mapToObj(stack -> of(all, stack)).toList();
        stacks.forEach(its -> row(out, its, iterations));
        var what = kind(1) + " to " + kind(0) + ": ";
        out.println("cpu, " + what + pairs(stacks, slice -> slice.spent().getFirst()));
        out.println(
                "ratio sites, a reduction each "
                        + options.reductions()
                        + ", "
                        + what
                        + pairs(stacks, Slice::nanos)
                        + " (aim: above 1; paper 000: 1.39)");
    }

    private static List<Slice> of(List<Slice> all, int stack) {
        return all.stream().filter(slice -> slice.stack() == stack).toList();
    }

    private static Pairs pairs(List<List<Slice>> stacks, ToLongFunction<Slice> what) {
        return new Pairs(values(stacks.get(0), what), values(stacks.get(1), what));
    }

    private static List<Double> values(List<Slice> slices, ToLongFunction<Slice> what) {
        return slices.stream().map(slice -> (double) what.applyAsLong(slice)).toList();
    }

    private void row(PrintStream out, List<Slice> slices, int iterations) {
        double micros = iterations * NANOS_PER_MICRO;
        var times = values(slices, Slice::nanos);
        out.printf(
                Locale.ROOT,
                "%-16s %13.1f %12.1f %8.1f %9.1f %8.2f %6.2f %6.2f %7.2f %6.2f%n",
                options.stacks().get(slices.getFirst().stack()),
                Pairs.bestDecile(times) / micros,
                Pairs.median(times) / micros,
                median(slices, 0) / micros,
                median(slices, 1) / micros,
                median(slices, 2) / iterations,
                median(slices, 3) / iterations,
                median(slices, 4) / iterations,
                median(slices, 5) / iterations,
                median(slices, 6) / iterations);
    }

    private String kind(int stack) {
        return options.stacks().get(stack).replaceAll("\\(.*", "");
    }

    private static double median(List<Slice> slices, int kind) {
        return Pairs.median(values(slices, slice -> slice.spent().get(kind)));
    }
}
