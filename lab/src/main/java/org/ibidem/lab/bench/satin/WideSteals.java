package org.ibidem.lab.bench.satin;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Scanner;
import java.util.function.ToDoubleFunction;
import org.ibidem.hub.Hub;
import org.ibidem.lab.bench.sites.Pairs;
import org.ibidem.lab.net.Lab;
import org.ibidem.lab.net.Running;
import org.ibidem.lab.net.plan.Kind;
import org.ibidem.lab.net.plan.Network;
import org.ibidem.lab.net.plan.Site;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.ibidem.satin.Satin;
import org.ibidem.satin.Stealing;

/// Two sites with two workers each, 30 ms apart, and a tree of jobs that park: how long workers are
/// idle, and how often they ask over the wide line, where they steal at random and where they know
/// of sites. After van Nieuwpoort, Kielmann and Bal, "Efficient load balancing for wide-area
/// divide-and-conquer applications" (PPoPP 2001).
final class WideSteals {
    private static final int RANKS = 4;
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final String PORT = "8888";

    private WideSteals() {}

    /// One tree.
    ///
    /// @param seconds it took
    /// @param idle share of the time of all workers in which none of them had a leaf
    /// @param asked how often somebody of the other site was asked
    private record Turn(double seconds, double idle, double asked) {}

    static void run(boolean quick, PrintStream out, Outcome outcome) throws IOException {
        var sites =
                Network.of(
                                Site.of("north", Kind.OPEN).hosts(2),
                                Site.of("south", Kind.OPEN).hosts(2),
                                Site.of("hub", Kind.OPEN).hosts(1))
                        .line("north-south", "delay=15ms");
        var aware = new ArrayList<Turn>();
        var random = new ArrayList<Turn>();
        try (var lab = Lab.up(sites)) {
            lab.machine("hub1").java(AtHub.class).said("ready", LIMIT);
            for (int round = 0; round < (quick ? 1 : 5); round++) {
                aware.addAll(play(lab, Stealing.CLUSTER_AWARE, round, quick));
                random.addAll(play(lab, Stealing.RANDOM, round, quick));
            }
        }
        out.printf("%-16s %10s %10s %16s%n", "stealing", "s", "idle", "asked far, 1/s");
        print(out, "cluster-aware", aware);
        print(out, "random", random);
        for (var line :
                List.of(
                        line("idle", aware, random, Turn::idle),
                        line("time", aware, random, Turn::seconds))) {
            out.println(line);
            outcome.line(line);
        }
        outcome.add("idle on two sites", "%", "ibidem-satin", of(aware, t -> 100 * t.idle));
        outcome.add("idle on two sites", "%", "stealing at random", of(random, t -> 100 * t.idle));
        outcome.add("tree on two sites", "s", "ibidem-satin", of(aware, Turn::seconds));
        outcome.add("tree on two sites", "s", "stealing at random", of(random, Turn::seconds));
    }

    private static String line(
            String what, List<Turn> aware, List<Turn> random, ToDoubleFunction<Turn> of) {
        double ratio = median(random, of) / median(aware, of);
        return String.format(Locale.ROOT, "ratio satin-wide-%s random %.2f", what, ratio);
    }

    private static void print(PrintStream out, String name, List<Turn> turns) {
        out.printf(
                Locale.ROOT,
                "%-16s %10.3f %9.1f%% %16.0f%n",
                name,
                median(turns, Turn::seconds),
                100 * median(turns, Turn::idle),
                median(turns, turn -> turn.asked() / turn.seconds()));
    }

    private static double median(List<Turn> turns, ToDoubleFunction<Turn> what) {
        return Pairs.median(of(turns, what));
    }

    private static List<Double> of(List<Turn> turns, ToDoubleFunction<Turn> what) {
        return turns.stream().mapToDouble(what).boxed().toList();
    }

    /// The hub of all.
    static final class AtHub {
        private AtHub() {}

        public static void main(String[] arguments) throws IOException {
            try (var _ = Hub.start(Hub.Options.DEFAULT.port(Integer.parseInt(PORT)).open(true))) {
                System.out.println("ready");
                System.in.transferTo(OutputStream.nullOutputStream());
            }
        }
    }

    private static List<Turn> play(Lab lab, Stealing stealing, int round, boolean quick) {
        var processes = new ArrayList<Running>();
        for (int rank = 0; rank < RANKS; rank++) {
            var site = rank < RANKS / 2 ? "north" : "south";
            var host = site + (1 + rank % 2);
            var jvm =
                    List.of(
                            "-Dibidem.hub=" + lab.machine("hub1").address() + ":" + PORT,
                            "-Dibidem.pool=wide-" + stealing + round,
                            "-Dibidem.open=true",
                            "-Dibidem.location=" + host + "@" + site);
            var arguments = new String[] {stealing.name(), quick ? "60" : "1000", rank + ""};
            processes.add(lab.machine(host).java(jvm, AtSite.class, arguments));
        }
        var root = processes.getFirst();
        var turns = new ArrayList<Turn>();
        for (int i = 0; i < (quick ? 1 : 3); i++) {
            long before = asked(processes);
            root.say("" + (i + 1));
            var words = root.said("tree", LIMIT).split(" ", -1);
            double nanos = Double.parseDouble(words[0]);
            double worked = Double.parseDouble(words[1]);
            long asked = asked(processes) - before;
            turns.add(new Turn(nanos / 1e9, 1 - worked / nanos / RANKS, asked));
        }
        processes.forEach(Running::close);
        return turns;
    }

    private static long asked(List<Running> processes) {
        long all = 0;
        for (var process : processes) {
            process.say("asked");
            all += Long.parseLong(process.said("asked", LIMIT));
        }
        return all;
    }

    /// One process. Arguments: whom it asks, leaves of a tree, its number; 0 is the root.
    static final class AtSite {
        private AtSite() {}

        public static void main(String[] arguments) throws Exception {
            var options =
                    Satin.Options.USUAL
                            .loader(WideSteals.class.getClassLoader())
                            .stealing(Stealing.valueOf(arguments[0]));
            int leaves = Integer.parseInt(arguments[1]);
            try (var node = Node.join(Join.fromEnvironment());
                    var satin = Satin.open(node, options)) {
                if (!arguments[2].equals("0")) {
                    Thread.ofPlatform().daemon().start(() -> serve(satin, leaves));
                    satin.work();
                    return;
                }
                node.awaitMembers(RANKS, LIMIT);
                satin.run(() -> {
                    Parked.tree(leaves, 0); // Everybody meets everybody.
                    serve(satin, leaves);
                    return true;
                });
            }
        }

        /// Says how often it has asked, and the root how long a tree has taken.
        private static void serve(Satin satin, int leaves) {
            var commands = new Scanner(System.in, StandardCharsets.UTF_8);
            while (commands.hasNextLine()) {
                var line = commands.nextLine();
                if (line.equals("asked")) {
                    System.out.println("asked " + satin.statistics().askedFar());
                } else {
                    long begin = System.nanoTime();
                    long worked = Parked.tree(leaves, Long.parseLong(line));
                    System.out.println("tree " + (System.nanoTime() - begin) + " " + worked);
                }
            }
        }
    }
}
