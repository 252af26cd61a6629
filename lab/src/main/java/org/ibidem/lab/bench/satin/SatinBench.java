package org.ibidem.lab.bench.satin;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.ibidem.hub.Hub;
import org.ibidem.lab.bench.crowd.Worker;
import org.ibidem.lab.bench.sites.Pairs;

/// `./bench satin`: what a spawned call costs beside a task of a fork-join pool and beside the
/// sequential program; what a second process brings; what one costs that is killed; and, in a
/// network laboratory, whom to steal from where one site is far. `--without lab` leaves the last
/// out, `--json FILE` says where its figures go instead of `target/bench/satin.json`.
///
/// Everybody has a process of its own, which lives for the whole run; they take turns.
public final class SatinBench {
    private static final List<String> JVM = List.of("-Xmx512m", "-XX:+UseSerialGC");
    private static final double SPAWN_AIM = 1 / 1.5;
    private static final double EFFICIENCY_AIM = 0.95;
    private static final double MICRO = 1e3;
    static final double MILLI = 1e6;
    static final String OURS = "ibidem-satin";

    /// In the order in which they are started.
    private static final List<String> WHO = List.of("sequential", "forkjoin", OURS);

    private final boolean quick;
    private final PrintStream out;
    private final Outcome outcome = new Outcome();

    private SatinBench(boolean quick, PrintStream out) {
        this.quick = quick;
        this.out = out;
    }

    /// What the command line says.
    private record Options(boolean quick, boolean lab, Path json) {
        private static final String KNOWN = "known: --quick, --without lab, --json FILE; not ";

        static Options parse(String... arguments) {
            var options = new Options(false, true, Path.of("target", "bench", "satin.json"));
            var words = new ArrayList<>(List.of(arguments));
            while (!words.isEmpty()) {
                var rest = List.copyOf(words);
                var word = words.removeFirst();
                var value = words.isEmpty() ? "" : words.getFirst();
                if (word.equals("--quick")) {
                    options = new Options(true, options.lab, options.json);
                } else if (word.equals("--without") && value.equals("lab")) {
                    words.removeFirst();
                    options = new Options(options.quick, false, options.json);
                } else if (word.equals("--json") && !value.isEmpty()) {
                    options = new Options(options.quick, options.lab, Path.of(words.removeFirst()));
                } else {
                    throw new IllegalArgumentException(KNOWN + rest);
                }
            }
            return options;
        }
    }

    /// Runs it from the command line, and prints its tables.
    public static void run(String... arguments) throws IOException {
        run(System.out, arguments);
    }

    static void run(PrintStream out, String... arguments) throws IOException {
        var options = Options.parse(arguments);
        var bench = new SatinBench(options.quick, out);
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0))) {
            bench.oneProcess("" + hub.port());
            bench.twoProcesses("" + hub.port());
            KilledWorker.run(options.quick, "" + hub.port(), out, bench.outcome);
        }
        if (options.lab) {
            WideSteals.run(options.quick, out, bench.outcome);
        }
        bench.outcome.write(options.json);
        System.err.println("bench: wrote " + options.json);
    }

    /// What each took for the same, turn by turn.
    private static List<List<Double>> turns(List<Worker> those, String what, int warm, int rounds)
            throws IOException {
        var times = new ArrayList<List<Double>>();
        those.forEach(_ -> times.add(new ArrayList<>()));
        for (int round = -warm; round < rounds; round++) {
            for (int i = 0; i < those.size(); i++) {
                int who = Math.floorMod(round + i, those.size());
                double nanos = Double.parseDouble(those.get(who).ask(what));
                if (round >= 0) {
                    times.get(who).add(nanos);
                }
            }
        }
        return times;
    }

    static Worker ready(String... arguments) throws IOException {
        var worker = new Worker(Part.class, JVM, arguments);
        worker.answer();
        return worker;
    }

    private void oneProcess(String hub) throws IOException {
        try (var plain = ready("plain");
                var fork = ready("fork", "1");
                var satin = ready("root", hub, "one")) {
            var those = List.of(plain, fork, satin);
            int fib = quick ? 20 : 27;
            out.printf(
                    "%-22s %30s %24s %24s%n",
                    "best decile, median", "sequential, us", "ForkJoin, us", "Satin, us");
            var leaves = turns(those, "fib " + fib + " 2", quick ? 3 : 30, quick ? 5 : 100);
            print("fib " + fib + ", all spawned", leaves);
            var coarse = turns(those, "fib 32 20", quick ? 1 : 10, quick ? 3 : 40);
            print("fib 32, from 20 on", coarse);
            var queens =
                    turns(
                            those,
                            quick ? "queens 8 3" : "queens 11 4",
                            quick ? 3 : 10,
                            quick ? 3 : 40);
            print(quick ? "queens 8, 3 rows" : "queens 11, 4 rows", queens);
            spawns(leaves, spawned(fib));
            ratio("satin-fib-coarse", "forkjoin", new Pairs(coarse.get(1), coarse.get(2)));
            ratio("satin-queens", "forkjoin", new Pairs(queens.get(1), queens.get(2)));
            ratio("satin-queens", "sequential", new Pairs(queens.get(0), queens.get(2)));
        }
    }

    private void print(String name, List<List<Double>> times) {
        out.printf(Locale.ROOT, "%-22s ", name);
        for (var its : times) {
            out.printf(
                    Locale.ROOT,
                    "%14.1f %12.1f",
                    Pairs.bestDecile(its) / MICRO,
                    Pairs.median(its) / MICRO);
        }
        out.println();
        for (int who = 0; who < WHO.size(); who++) {
            outcome.add(name, "us", WHO.get(who), scaled(times.get(who), MICRO));
        }
    }

    static List<Double> scaled(List<Double> nanos, double unit) {
        return nanos.stream().map(each -> each / unit).toList();
    }

    private void say(String line) {
        out.println(line);
        outcome.line(line);
    }

    private void ratio(String metric, String peer, Pairs pairs) {
        say("ratio " + metric + " " + peer + " " + pairs);
    }

    /// How many calls of its own a call has, and those, with all of theirs.
    private static long spawned(int n) {
        return n < 2 ? 0 : 2 + spawned(n - 1) + spawned(n - 2);
    }

    private void spawns(List<List<Double>> times, long count) {
        double plain = Pairs.bestDecile(times.get(0));
        double fork = (Pairs.bestDecile(times.get(1)) - plain) / count;
        double satin = (Pairs.bestDecile(times.get(2)) - plain) / count;
        out.printf(
                Locale.ROOT,
                "# a call that is spawned and synced %.1f ns, forked and joined %.1f ns, both above"
                        + " a plain one (%.1f ns)%n",
                satin,
                fork,
                plain / count);
        say(
                String.format(
                        Locale.ROOT,
                        "ratio satin-spawn forkjoin %.2f %.2f",
                        fork / satin,
                        SPAWN_AIM));
    }

    /// Two that do the whole program each, at once, beside two that share it.
    private void twoProcesses(String hub) throws IOException {
        try (var one = ready("plain");
                var other = ready("plain");
                var root = ready("root", hub, "two");
                var thief = ready("thief", hub, "two")) {
            for (var what :
                    quick
                            ? List.of("sat pigeons 7", "raytracer 256 30")
                            : List.of("sat pigeons 8", "raytracer 1024")) {
                var alone = new ArrayList<Double>();
                var shared = new ArrayList<Double>();
                int warm = quick ? 1 : 3;
                var before = root.ask("given");
                for (int round = -warm; round < (quick ? 2 : 12); round++) {
                    // Else it would ask for work, on a core that is not its own now.
                    thief.signal("STOP");
                    double both = both(one, other, what);
                    thief.signal("CONT");
                    double together = Double.parseDouble(root.ask(what));
                    if (round >= 0) {
                        alone.add(both / 2);
                        shared.add(together);
                    }
                }
                requireShared(root, before);
                outcome.add(what + ", 2 cores", "ms", "two alone, half", scaled(alone, MILLI));
                outcome.add(what + ", 2 cores", "ms", OURS, scaled(shared, MILLI));
                say(
                        String.format(
                                Locale.ROOT,
                                "limit satin-efficiency-%s two processes %.3f %.2f, %s",
                                what.replace(' ', '-'),
                                new Pairs(alone, shared).ratio(),
                                EFFICIENCY_AIM,
                                new Pairs(alone, shared)));
            }
        }
    }

    /// Fails where nobody has stolen a job since.
    ///
    /// @param root whose jobs they are
    /// @param before what it said when it was asked what it had given
    static void requireShared(Worker root, String before) throws IOException {
        if (root.ask("given").equals(before)) {
            throw new IOException("nobody has stolen a job, so nothing was shared");
        }
    }

    /// The mean of what each took; both have two cores between them.
    private static double both(Worker one, Worker other, String what) throws IOException {
        one.tell(what);
        other.tell(what);
        return (Double.parseDouble(one.answer()) + Double.parseDouble(other.answer())) / 2;
    }
}
