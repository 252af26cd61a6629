package org.ibidem.lab.bench.wan;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.ibidem.hub.Hub;
import org.ibidem.lab.net.Lab;
import org.ibidem.lab.net.Running;
import org.ibidem.lab.net.plan.Kind;
import org.ibidem.lab.net.plan.Network;
import org.ibidem.lab.net.plan.Site;

/// `./bench wan`: what gets over a line of a laboratory in so many seconds: through a plain socket,
/// with filters that are told what to do, with `auto`, and by `iperf3`.
///
/// Each transfer has two JVMs of its own, which are killed after it, so that the next finds the
/// line empty; but `auto, again` is the second one of a node. After figures 9 and 10 of the paper
/// on NetIbis.
public final class WanBench {
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final String HUB = "8888";
    private static final String SOCKET = "7000";
    private static final String NEAR = "north1";
    private static final String FAR = "south1";
    private static final double MEGA = 1e6;

    private final Lab lab;
    private final WanOptions options;
    private final PrintStream out;
    private int transfers;

    private WanBench(Lab lab, WanOptions options, PrintStream out) {
        this.lab = lab;
        this.options = options;
        this.out = out;
    }

    /// Runs it from the command line, and prints its tables.
    public static void run(String... arguments) {
        var options = WanOptions.parse(arguments);
        var sites =
                Network.of(
                        Site.of("north", Kind.OPEN).hosts(1),
                        Site.of("south", Kind.OPEN).hosts(1),
                        Site.of("hub", Kind.OPEN).hosts(1));
        try (var lab = Lab.up(sites)) {
            lab.machine("hub1").java(AtHub.class).said("ready", LIMIT);
            new WanBench(lab, options, System.out).play();
        }
    }

    /// The hub of both.
    static final class AtHub {
        private AtHub() {}

        public static void main(String[] arguments) throws IOException {
            try (var _ = Hub.start(Hub.Options.DEFAULT.port(Integer.parseInt(HUB)).open(true))) {
                System.out.println("ready");
                System.in.transferTo(OutputStream.nullOutputStream());
            }
        }
    }

    private void play() {
        for (var line : options.lines()) {
            prepare(line);
            for (var material : options.materials()) {
                out.printf(
                        "%s, %s (MB/s from %d s to %d s; before)%n",
                        line,
                        material.name().toLowerCase(Locale.ROOT),
                        options.apart(),
                        options.apart() + options.seconds());
                play(material);
            }
        }
    }

    private void prepare(WanLine line) {
        lab.set("north-south", line.settings());
        long most = line.buffers();
        for (var machine : List.of(NEAR, FAR)) {
            lab.machine(machine)
                    .run(
                            "sysctl",
                            "-qw",
                            "net.ipv4.tcp_rmem=4096 " + Math.min(most, 131_072) + " " + most,
                            "net.ipv4.tcp_wmem=4096 16384 " + most);
        }
    }

    private void play(Material material) {
        var all = new LinkedHashMap<String, List<Result>>();
        for (int round = 0; round < options.rounds(); round++) {
            for (var way : options.ways()) {
                if (!way.equals(WanOptions.AGAIN) || !options.ways().contains(WanOptions.AUTO)) {
                    add(all, way, material);
                }
            }
        }
        for (var way : options.ways()) {
            var results = all.getOrDefault(way, List.of()).stream().sorted().toList();
            if (!results.isEmpty()) {
                out.println(results.get(results.size() / 2).text(way));
            }
        }
        out.flush();
    }

    private void add(Map<String, List<Result>> all, String way, Material material) {
        if (way.startsWith(Iperf.NAME)) {
            addPeer(all, way);
            return;
        }
        boolean twice = way.equals(WanOptions.AUTO) && options.ways().contains(WanOptions.AGAIN);
        System.err.println("bench: " + way);
        try (var far = end(FAR, Far.class, SOCKET);
                var near = end(NEAR, Near.class, material.name())) {
            var id = far.said("id", LIMIT);
            near.said("joined", LIMIT);
            all.computeIfAbsent(way, _ -> new ArrayList<>()).add(transfer(near, far, id, way));
            if (twice) {
                near.said("closed", LIMIT);
                all.computeIfAbsent(WanOptions.AGAIN, _ -> new ArrayList<>())
                        .add(transfer(near, far, id, way));
            }
        }
    }

    /// A program that has nothing to do with Ibidem, where it is installed.
    private void addPeer(Map<String, List<Result>> all, String way) {
        if (!Iperf.isThere()) {
            System.err.println("bench: " + way + " is left out: it is not installed");
            return;
        }
        System.err.println("bench: " + way);
        var iperf = new Iperf(lab.machine(NEAR), lab.machine(FAR));
        double rate = iperf.rate(way, options.apart(), options.seconds());
        all.computeIfAbsent(way, _ -> new ArrayList<>()).add(new Result(rate, Double.NaN, ""));
    }

    private Running end(String machine, Class<?> main, String argument) {
        var jvm =
                List.of(
                        "-XX:TieredStopAtLevel=4",
                        "-Xmx400m",
                        "-Dibidem.monitor=off",
                        "-Dibidem.auto=compress, parallel",
                        "-Dibidem.methods=direct");
        var hub = lab.machine("hub1").address() + ":" + HUB;
        return lab.machine(machine).java(jvm, main, hub, argument);
    }

    private Result transfer(Running near, Running far, String id, String way) {
        int seconds = options.apart() + options.seconds() + 1;
        boolean plain = way.equals(WanOptions.PLAIN);
        var name = "in" + transfers++;
        far.say(plain ? "socket" : "port " + name + " " + way);
        far.said("ready", LIMIT);
        near.say(
                plain
                        ? "socket " + lab.machine(FAR).address() + " " + SOCKET + " " + seconds
                        : "port " + id + " " + name + " " + seconds + " " + way);
        var went = near.said("way", LIMIT);
        far.say("count");
        var count = Count.parse(far.said("count", LIMIT));
        double from = options.apart();
        return new Result(count.rate(from, from + options.seconds()), count.rate(0, from), went);
    }

    /// What came of a transfer.
    ///
    /// @param rate in the time that counts, bytes a second
    /// @param before that; [Double#NaN]: nobody says
    /// @param way what it says of itself
    private record Result(double rate, double before, String way) implements Comparable<Result> {
        @Override
        public int compareTo(Result other) {
            return Double.compare(rate, other.rate);
        }

        String text(String name) {
            return String.format(
                    Locale.ROOT,
                    "  %-44s %7.2f %7s  %s",
                    name,
                    rate / MEGA,
                    Double.isNaN(before) ? "-" : String.format(Locale.ROOT, "%.2f", before / MEGA),
                    brief());
        }

        /// The decisions.
        private String brief() {
            int from = way.indexOf("; auto:");
            return from < 0 ? "" : way.substring(from + 2, way.length() - 1);
        }
    }
}
