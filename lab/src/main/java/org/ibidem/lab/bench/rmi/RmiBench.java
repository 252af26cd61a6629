package org.ibidem.lab.bench.rmi;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.ibidem.hub.Hub;
import org.ibidem.lab.bench.crowd.Worker;
import org.ibidem.lab.bench.sites.Pairs;
import org.jspecify.annotations.Nullable;

/// `./bench rmi`: remote calls from one process to another, ours over shared memory and over TCP,
/// the JDK's RMI, and gRPC-java over TCP and over a Unix-domain socket; and questions of a
/// [org.ibidem.messaging.Procedure]. Calls with nothing, an int, 100 kB of bytes, ints and doubles,
/// and a tree of 1 023 nodes; calls a second from 1, 8 and 64 threads; memory for 10 000 exported
/// objects.
///
/// Each has two processes of its own, which live for the whole run; they take turns.
public final class RmiBench {
    private static final List<String> JVM =
            List.of(
                    "-Xmx512m",
                    "-XX:+UseSerialGC",
                    "-Djava.rmi.server.hostname=127.0.0.1",
                    "--enable-native-access=ALL-UNNAMED", // of gRPC's Netty
                    "--sun-misc-unsafe-memory-access=allow");
    private static final String JDK = "jdk";
    private static final String GRPC = "grpc";
    private static final String UNIX = "grpc-unix";
    private static final String TCP = "tcp";

    /// Whose threads sleep at once.
    private static final String ASLEEP = "-sleep";

    private static final List<String> WAYS =
            List.of(JDK, GRPC, UNIX, TCP, "shm", "shm" + ASLEEP, Part.QUESTIONS + ASLEEP);
    private static final double MICRO = 1e3;
    private static final double SECOND = 1e9;
    private static final int OBJECTS = 10_000;

    /// What is measured.
    ///
    /// @param what as a process is told
    /// @param count calls in a turn, fifty times fewer with `--quick`
    /// @param tcp how many times as fast as the JDK's ours is to be over TCP; null: no aim
    /// @param shm over shared memory
    /// @param grpc as fast as gRPC's, over both
    private record Measure(
            String what,
            int count,
            @Nullable Double tcp,
            @Nullable Double shm,
            @Nullable Double grpc) {
        static Measure of(String what, int count) {
            return new Measure(what, count, null, null, null);
        }

        boolean isPlayedBy(String way) {
            if (way.startsWith(Part.QUESTIONS)) {
                return what.matches("int|threads .*");
            }
            return !way.startsWith(GRPC) || what.matches("null|int|bytes|threads .*");
        }

        @Nullable Double aim(String way, String beside) {
            if (way.endsWith(ASLEEP) || beside.equals(UNIX)) {
                return null;
            }
            if (beside.equals(GRPC)) {
                return grpc;
            }
            return way.equals(TCP) ? tcp : shm;
        }
    }

    private static final List<Measure> MEASURES =
            List.of(
                    new Measure("null", 2000, 1.5, 8.0, null),
                    Measure.of("int", 2000),
                    Measure.of("bytes", 200),
                    Measure.of("ints", 200),
                    Measure.of("doubles", 200),
                    new Measure("tree", 100, 5.0, 5.0, null),
                    new Measure("threads 1", 2000, null, null, 3.0),
                    new Measure("threads 8", 4000, null, null, 3.0),
                    new Measure("threads 64", 6400, null, null, 3.0));

    private final boolean quick;
    private final PrintStream out;

    private RmiBench(boolean quick, PrintStream out) {
        this.quick = quick;
        this.out = out;
    }

    /// Runs it from the command line, and prints its tables.
    public static void run(String... arguments) throws IOException {
        run(System.out, arguments);
    }

    static void run(PrintStream out, String... arguments) throws IOException {
        var words = new ArrayList<>(List.of(arguments));
        boolean quick = words.remove("--quick");
        if (!words.isEmpty()) {
            throw new IllegalArgumentException("known: --quick; not " + words);
        }
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0))) {
            new RmiBench(quick, out).play("" + hub.port());
        }
    }

    private void play(String hub) throws IOException {
        var servers = new ArrayList<Worker>();
        var clients = new ArrayList<Worker>();
        try {
            for (var way : WAYS) {
                var options = options(way);
                var server = new Worker(Part.class, options, "server", way, hub);
                servers.add(server);
                var said = server.answer();
                boolean ours = WAYS.indexOf(way) >= WAYS.indexOf(TCP);
                var client = new Worker(Part.class, options, "client", way, ours ? hub : said);
                clients.add(client);
                client.answer();
            }
            calls(clients);
            memory(servers);
        } finally {
            clients.forEach(Worker::close);
            servers.forEach(Worker::close);
        }
    }

    private static List<String> options(String way) {
        var options = new ArrayList<>(JVM);
        if (way.endsWith(ASLEEP)) {
            options.add("-Dibidem.wait=sleep");
        }
        return options;
    }

    private void calls(List<Worker> clients) throws IOException {
        out.printf("%-12s", "best decile");
        WAYS.forEach(way -> out.printf("%17s", way));
        out.println();
        var ratios = new ArrayList<String>();
        for (var measure : MEASURES) {
            var times = turns(clients, measure);
            out.printf("%-12s", measure.what);
            boolean threads = measure.what.startsWith("threads");
            for (var its : times) {
                out.print(its.isEmpty() ? "                -" : shown(its, threads));
            }
            out.println();
            ratios.addAll(ratios(measure, times));
        }
        ratios.forEach(out::println);
    }

    private static String shown(List<Double> times, boolean threads) {
        double nanos = Pairs.bestDecile(times);
        return String.format(
                Locale.ROOT,
                "%12.1f %-4s",
                threads ? SECOND / nanos / MICRO : nanos / MICRO,
                threads ? "k/s" : "us");
    }

    /// Of ours, by each stack, to each of the others.
    private static List<String> ratios(Measure measure, List<List<Double>> times) {
        var all = new ArrayList<String>();
        for (var way : WAYS.subList(WAYS.indexOf(TCP), WAYS.size())) {
            for (var beside : List.of(JDK, GRPC, UNIX)) {
                if (measure.isPlayedBy(way) && measure.isPlayedBy(beside)) {
                    var aim = measure.aim(way, beside);
                    all.add(
                            "ratio rmi-%s-%s %s %s%s"
                                    .formatted(
                                            way,
                                            measure.what.replace(" ", "-"),
                                            beside,
                                            new Pairs(
                                                    times.get(WAYS.indexOf(beside)),
                                                    times.get(WAYS.indexOf(way))),
                                            aim == null ? "" : ", aim " + aim));
                }
            }
        }
        return all;
    }

    /// What a call took, turn by turn.
    private List<List<Double>> turns(List<Worker> clients, Measure measure) throws IOException {
        int count = quick ? measure.count / 50 : measure.count;
        int warm = quick ? 1 : 20;
        int rounds = quick ? 2 : 40;
        var times = new ArrayList<List<Double>>();
        clients.forEach(_ -> times.add(new ArrayList<>()));
        for (int round = -warm; round < rounds; round++) {
            for (int i = 0; i < clients.size(); i++) {
                int who = Math.floorMod(round + i, clients.size());
                if (!measure.isPlayedBy(WAYS.get(who))) {
                    continue;
                }
                double nanos = Double.parseDouble(clients.get(who).ask(measure.what + " " + count));
                if (round >= 0) {
                    times.get(who).add(nanos);
                }
            }
        }
        return times;
    }

    private void memory(List<Worker> servers) throws IOException {
        int count = quick ? OBJECTS / 10 : OBJECTS;
        for (var way : List.of(JDK, TCP)) { // ours is the same over all
            out.printf(
                    Locale.ROOT,
                    "memory %s: %.0f B for each of %d exported objects%n",
                    way.equals(JDK) ? JDK : "ours",
                    Double.parseDouble(servers.get(WAYS.indexOf(way)).ask("export " + count)),
                    count);
        }
    }
}
