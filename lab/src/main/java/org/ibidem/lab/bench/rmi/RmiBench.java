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
/// and the JDK's RMI. Calls with nothing, an int, 100 kB of bytes, ints and doubles, and a tree of
/// 1 023 nodes; calls a second from 1, 8 and 64 threads; memory for 10 000 exported objects.
///
/// Each has two processes of its own, which live for the whole run; they take turns.
public final class RmiBench {
    private static final List<String> JVM =
            List.of("-Xmx512m", "-XX:+UseSerialGC", "-Djava.rmi.server.hostname=127.0.0.1");
    private static final List<String> WAYS = List.of("jdk", "tcp", "shm");
    private static final double MICRO = 1e3;
    private static final double SECOND = 1e9;
    private static final int OBJECTS = 10_000;

    /// What is measured.
    ///
    /// @param what as a process is told
    /// @param count calls in a turn, fifty times fewer with `--quick`
    /// @param tcp how many times as fast as the JDK's ours is to be over TCP; null: no aim
    /// @param shm over shared memory
    private record Measure(String what, int count, @Nullable Double tcp, @Nullable Double shm) {}

    private static final List<Measure> MEASURES =
            List.of(
                    new Measure("null", 2000, 1.5, 8.0),
                    new Measure("int", 2000, null, null),
                    new Measure("bytes", 200, null, null),
                    new Measure("ints", 200, null, null),
                    new Measure("doubles", 200, null, null),
                    new Measure("tree", 100, 5.0, 5.0),
                    new Measure("threads 1", 2000, null, null),
                    new Measure("threads 8", 4000, null, null),
                    new Measure("threads 64", 6400, null, null));

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
                var server = new Worker(Part.class, JVM, "server", way, hub);
                servers.add(server);
                var port = server.answer();
                var client =
                        new Worker(Part.class, JVM, "client", way, way.equals("jdk") ? port : hub);
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

    private void calls(List<Worker> clients) throws IOException {
        out.printf("%-12s", "best decile");
        WAYS.forEach(way -> out.printf("%16s", way));
        out.println();
        var ratios = new ArrayList<String>();
        for (var measure : MEASURES) {
            var times = turns(clients, measure);
            out.printf("%-12s", measure.what);
            boolean threads = measure.what.startsWith("threads");
            for (var its : times) {
                double nanos = Pairs.bestDecile(its);
                out.printf(
                        Locale.ROOT,
                        "%11.1f %-4s",
                        threads ? SECOND / nanos / MICRO : nanos / MICRO,
                        threads ? "k/s" : "us");
            }
            out.println();
            for (int i = 1; i < WAYS.size(); i++) {
                var aim = i == 1 ? measure.tcp : measure.shm;
                ratios.add(
                        "ratio rmi-%s-%s jdk %s%s"
                                .formatted(
                                        WAYS.get(i),
                                        measure.what.replace(" ", "-"),
                                        new Pairs(times.getFirst(), times.get(i)),
                                        aim == null ? "" : ", aim " + aim));
            }
        }
        ratios.forEach(out::println);
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
        for (int i = 0; i < 2; i++) { // ours is the same over all
            out.printf(
                    Locale.ROOT,
                    "memory %s: %.0f B for each of %d exported objects%n",
                    i == 0 ? "jdk" : "ours",
                    Double.parseDouble(servers.get(i).ask("export " + count)),
                    count);
        }
    }
}
