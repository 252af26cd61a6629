package org.ibidem.lab.bench.crowd;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/// `./bench registry`: lets a crowd gather in one pool and disperse again, in several ways that
/// take turns.
public final class Crowd implements AutoCloseable {
    private static final int AT_ONCE = 32;
    private static final int WARM_UP = 1_000;
    private static final int WARM_UPS = 2;
    private static final int TIMES = 10;
    private static final int LATE = 5;
    private static final int DEATHS = 3;
    private static final int NUMBERS = 500;
    private static final double MILLI = 1e6;
    private static final double KIBI = 1024;
    private static final long MEBI = 1 << 20;
    private static final Path TRAFFIC = Path.of("/proc/net/dev");

    private final CrowdOptions options;
    private final CrowdReport report;
    private final List<Worker> workers = new ArrayList<>();
    private final Worker plainHub;
    private final Worker stateHub;
    private final Map<Worker, Integer> ports = new HashMap<>();
    private final Path state;
    private int pools;

    private Crowd(CrowdOptions options) throws IOException {
        this.options = options;
        this.report = new CrowdReport(options);
        this.state = Files.createTempDirectory("ibidem-crowd-");
        plainHub = new Worker(HubWorker.class, List.of("-Xmx2g"));
        stateHub = new Worker(HubWorker.class, List.of("-Xmx2g"), state.resolve("s").toString());
        for (var hub : List.of(plainHub, stateHub)) {
            ports.put(hub, Integer.parseInt(hub.answer()));
        }
        for (int i = 0; i < options.processes(); i++) {
            workers.add(members());
        }
    }

    private static Worker members() throws IOException {
        return new Worker(MembersWorker.class, List.of("-Xmx3g", "-XX:+UseSerialGC"));
    }

    /// Runs it from the command line, prints its table and writes its JSON file.
    public static void run(String... arguments) throws IOException {
        var options = CrowdOptions.parse(arguments);
        LocalPorts.require(options.members());
        try (var crowd = new Crowd(options)) {
            crowd.play();
            crowd.report.write();
            System.err.println("bench: wrote " + options.json());
            crowd.report.print(System.out);
            crowd.printPeaks(System.out);
        }
    }

    private void printPeaks(PrintStream out) throws IOException {
        long members = 0;
        for (var worker : workers) {
            members = Math.max(members, worker.peak());
        }
        out.printf(
                "%n# most memory resident at once: hub %d MiB, hub that journals %d MiB, each"
                        + " process of members %d MiB%n",
                plainHub.peak() / MEBI, stateHub.peak() / MEBI, members / MEBI);
    }

    private void play() throws IOException {
        for (int i = 0; i < WARM_UPS; i++) {
            for (var way : options.ways()) {
                say("warming up", way);
                gather(way, Math.min(WARM_UP, options.members()));
                disperse();
            }
        }
        for (int round = 1; round <= options.rounds(); round++) {
            for (int i = 0; i < options.ways().size(); i++) {
                var way = options.ways().get((i + round) % options.ways().size());
                say("round " + round, way);
                turn(way, round == options.rounds());
            }
        }
    }

    private static void say(String what, Way way) {
        System.err.println("bench: " + what + ", " + way.name());
    }

    private void turn(Way way, boolean last) throws IOException {
        int members = options.members();
        var hub = hub(way);
        long before = last ? memory(hub) : 0;
        long nodesBefore = last ? memory() : 0;
        long traffic = traffic();
        var cpu = hub.cpu();
        var gathered = gather(way, members);
        report.add(CrowdMeasure.JOIN, way, members / seconds(gathered.begun, gathered.joined));
        double used = hub.cpu().minus(cpu).toNanos() / MILLI;
        report.add(CrowdMeasure.HUB_CPU, way, used / members);
        report.add(CrowdMeasure.TRAFFIC, way, (traffic() - traffic) / KIBI / members);
        if (way.followers() > 0) {
            report.add(
                    CrowdMeasure.COMPLETE, way, members / seconds(gathered.begun, gathered.known));
        }
        if (way.membership() != null) {
            latencies(way, gathered.pool, last);
            if (last) {
                report.add(CrowdMeasure.HUB_HEAP, way, (memory(hub) - before) / KIBI / members);
                report.add(CrowdMeasure.NODE_HEAP, way, (memory() - nodesBefore) / KIBI / members);
            }
        }
        disperse();
    }

    /// A crowd that is together.
    ///
    /// @param pool where
    /// @param begun when the first began to join
    /// @param joined when the last had joined
    /// @param known when all knew all
    private record Gathered(String pool, long begun, long joined, long known) {}

    private Gathered gather(Way way, int members) throws IOException {
        var pool = "crowd-" + ++pools;
        int port = port(way);
        for (int i = 0; i < workers.size(); i++) {
            int share = share(members, i);
            workers.get(i)
                    .tell(
                            way.membership() == null
                                    ? "shake %d %d %d".formatted(port, share, AT_ONCE)
                                    : "join %d %s %s %d %d %d"
                                            .formatted(
                                                    port,
                                                    pool,
                                                    way.membership(),
                                                    share(way.followers(members), i),
                                                    share,
                                                    AT_ONCE));
        }
        long begun = Long.MAX_VALUE;
        long joined = Long.MIN_VALUE;
        for (var worker : workers) {
            var span = worker.answer().split(" ", -1);
            begun = Math.min(begun, Long.parseLong(span[0]));
            joined = Math.max(joined, Long.parseLong(span[1]));
        }
        long known =
                way.followers() > 0 ? latest(Worker.askAll(workers, "know " + members)) : joined;
        return new Gathered(pool, begun, joined, known);
    }

    private int share(int members, int worker) {
        return members / workers.size() + (worker < members % workers.size() ? 1 : 0);
    }

    private static long latest(List<String> times) {
        return times.stream().mapToLong(Long::parseLong).max().orElse(0);
    }

    private void disperse() throws IOException {
        Worker.askAll(workers, "leave " + AT_ONCE);
    }

    private void latencies(Way way, String pool, boolean last) throws IOException {
        for (int i = 0; i < TIMES; i++) {
            heard(CrowdMeasure.SIGNAL, way, "signal-" + i + " all", "signal signal-" + i);
            heard(CrowdMeasure.ELECTED, way, "elect-" + i + " all", "elect elect-" + i);
        }
        report.add(CrowdMeasure.NUMBER, way, times(workers.getFirst().ask("number " + NUMBERS)));
        if (way.followers() > 0) {
            for (int i = 0; i < LATE; i++) {
                var id = workers.getFirst().ask("identity");
                var late = "late " + port(way) + " " + pool + " " + way.membership();
                heard(CrowdMeasure.JOINED, way, "joined-" + id + " followers", late);
                workers.getFirst().ask("gone");
            }
            for (int i = 0; i < (last ? DEATHS : 0); i++) {
                death(way, pool);
            }
        }
    }

    private void heard(CrowdMeasure measure, Way way, String key, String command)
            throws IOException {
        Worker.askAll(workers, "look " + key);
        long begun = Long.parseLong(workers.getFirst().ask(command));
        report.add(measure, way, delays(key, begun));
    }

    /// How long after that it was heard, by each.
    private double[] delays(String key, long begun) throws IOException {
        return Worker.askAll(workers, "heard " + key).stream()
                .filter(times -> !times.isEmpty())
                .flatMap(times -> Arrays.stream(times.split(" ", -1)))
                .mapToDouble(time -> (Long.parseLong(time) - begun) / MILLI)
                .toArray();
    }

    private static double[] times(String nanos) {
        return Arrays.stream(nanos.split(" ", -1))
                .mapToDouble(time -> Long.parseLong(time) / MILLI)
                .toArray();
    }

    private void death(Way way, String pool) throws IOException {
        try (var victim = members()) {
            var key = "died-" + victim.ask("identity") + " followers";
            Worker.askAll(workers, "look " + key);
            victim.ask("late " + port(way) + " " + pool + " " + way.membership());
            long begun = System.nanoTime();
            victim.kill();
            report.add(CrowdMeasure.DIED, way, delays(key, begun));
        }
    }

    private Worker hub(Way way) {
        return way.state() ? stateHub : plainHub;
    }

    private int port(Way way) {
        return ports.getOrDefault(hub(way), 0);
    }

    private static double seconds(long from, long to) {
        return (to - from) / 1e9;
    }

    private static long memory(Worker worker) throws IOException {
        return Long.parseLong(worker.ask("heap"));
    }

    private long memory() throws IOException {
        return Worker.askAll(workers, "heap").stream().mapToLong(Long::parseLong).sum();
    }

    /// Bytes that went over the loopback interface, since the machine was started.
    private static long traffic() throws IOException {
        if (!Files.isReadable(TRAFFIC)) {
            return 0;
        }
        return Files.readAllLines(TRAFFIC).stream()
                .map(String::strip)
                .filter(line -> line.startsWith("lo:"))
                .flatMapToLong(line -> LongStream.of(Long.parseLong(line.split("\\s+", -1)[1])))
                .sum();
    }

    @Override
    public void close() throws IOException {
        workers.forEach(Worker::close);
        plainHub.close();
        stateHub.close();
        try (var files = Files.walk(state)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
