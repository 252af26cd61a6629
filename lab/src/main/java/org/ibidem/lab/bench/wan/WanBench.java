package org.ibidem.lab.bench.wan;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.ibidem.hub.Hub;
import org.ibidem.lab.bench.figures.Json;
import org.ibidem.lab.net.Lab;
import org.ibidem.lab.net.Running;
import org.ibidem.lab.net.plan.Kind;
import org.ibidem.lab.net.plan.Network;
import org.ibidem.lab.net.plan.Site;

/// `./bench wan`: what gets over a line of a laboratory in so many seconds: through a plain socket,
/// with filters that are told what to do, with `auto`, by `iperf3`, `scp` and `rsync`.
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

    /// Seconds that a copy goes on behind those that count.
    private static final double MORE = 0.3;

    private static final Path JSON = Path.of("target", "bench", "wan.json");

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
    public static void run(String... arguments) throws IOException {
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

    private void play() throws IOException {
        var panels = new ArrayList<Map<String, Object>>();
        var text = new LinkedHashMap<WanLine, Map<String, Result>>();
        for (var line : options.lines()) {
            prepare(line);
            for (var material : options.materials()) {
                out.printf(
                        "%s, %s (MB/s from %d s to %d s; before)%n",
                        line,
                        material.name().toLowerCase(Locale.ROOT),
                        options.apart(),
                        options.apart() + options.seconds());
                var results = play(line, material);
                panels.add(panel(line, material, results));
                if (material == Material.TEXT) {
                    text.put(line, results);
                }
            }
        }
        var all = new LinkedHashMap<String, Object>();
        all.put("benchmark", "wan");
        all.put("about", "what comes over long lines, MB/s over seconds");
        all.put("panels", panels);
        all.put("figures", Paper.beside(text));
        Files.createDirectories(JSON.getParent());
        Files.writeString(JSON, Json.write(all));
        System.err.println("bench: ./bench plot wan draws " + JSON);
    }

    private static Map<String, Object> panel(
            WanLine line, Material material, Map<String, Result> results) {
        var panel = new LinkedHashMap<String, Object>();
        panel.put("title", line + ", " + material.name().toLowerCase(Locale.ROOT));
        panel.put("capacity", line.rate() / MEGA);
        panel.put(
                "curves",
                results.entrySet().stream()
                        .map(each -> each.getValue().curve(each.getKey()))
                        .filter(Objects::nonNull)
                        .toList());
        return panel;
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

    /// The transfer in the middle of each way.
    private Map<String, Result> play(WanLine line, Material material) throws IOException {
        var all = new LinkedHashMap<String, List<Result>>();
        for (int round = 0; round < options.rounds(); round++) {
            for (var way : options.ways()) {
                if (!way.equals(WanOptions.AGAIN) || !options.ways().contains(WanOptions.AUTO)) {
                    add(all, line, way, material);
                }
            }
        }
        var middle = new LinkedHashMap<String, Result>();
        for (var way : options.ways()) {
            var results = all.getOrDefault(way, List.of()).stream().sorted().toList();
            if (!results.isEmpty()) {
                middle.put(way, results.get(results.size() / 2));
                out.println(results.get(results.size() / 2).text(way));
            }
        }
        out.flush();
        return middle;
    }

    private void add(Map<String, List<Result>> all, WanLine line, String way, Material material)
            throws IOException {
        boolean iperf = way.startsWith(Iperf.NAME);
        if (iperf || Copying.isOne(way)) {
            if (material == Material.CHANGING) {
                return; // they send what they have, whatever the time
            }
            if (iperf) {
                addIperf(all, way);
            } else {
                addCopy(all, line, way, material);
            }
            return;
        }
        boolean twice = way.equals(WanOptions.AUTO) && options.ways().contains(WanOptions.AGAIN);
        System.err.println("bench: " + way);
        try (var far = end(FAR, Far.class, SOCKET);
                var near = end(NEAR, Near.class, material.name())) {
            var id = far.said("id", LIMIT);
            near.said("joined", LIMIT);
            put(all, way, transfer(near, far, id, way));
            if (twice) {
                near.said("closed", LIMIT);
                put(all, WanOptions.AGAIN, transfer(near, far, id, way));
            }
        }
    }

    /// A program that has nothing to do with Ibidem, where it is installed.
    private void addIperf(Map<String, List<Result>> all, String way) {
        if (!Iperf.isThere()) {
            System.err.println("bench: " + way + " is left out: it is not installed");
            return;
        }
        System.err.println("bench: " + way);
        var iperf = new Iperf(lab.machine(NEAR), lab.machine(FAR));
        double rate = iperf.rate(way, options.apart(), options.seconds());
        put(all, way, new Result(rate, Double.NaN, "", null, List.of()));
    }

    /// A file of what it takes in the time at most, compressed eight times.
    private void addCopy(Map<String, List<Result>> all, WanLine line, String way, Material material)
            throws IOException {
        if (!Copying.isThere(way)) {
            System.err.println("bench: " + way + " is left out: it, or sshd, is not installed");
            return;
        }
        System.err.println("bench: " + way);
        int seconds = options.apart() + options.seconds();
        double most = line.rate() * (seconds + 1) * (material == Material.TEXT ? 8 : 1);
        try (var copying = new Copying(lab.machine(NEAR), lab.machine(FAR))) {
            var count = copying.copy(way, material.make().getFirst(), (long) most, seconds + MORE);
            put(all, way, Result.of(count, options.apart(), seconds, "", List.of()));
        }
    }

    private static void put(Map<String, List<Result>> all, String way, Result result) {
        all.computeIfAbsent(way, _ -> new ArrayList<>()).add(result);
    }

    private Running end(String machine, Class<?> main, String argument) {
        var jvm =
                List.of(
                        "-XX:TieredStopAtLevel=4",
                        "-Xmx400m",
                        "-Dibidem.monitor=off",
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
        var decisions = near.said("decided", LIMIT);
        var went = near.said("way", LIMIT);
        far.say("count");
        var count = Count.parse(far.said("count", LIMIT));
        int from = options.apart();
        var decided = Decision.parse(decisions, count.began());
        return Result.of(count, from, from + options.seconds(), went, decided);
    }
}
