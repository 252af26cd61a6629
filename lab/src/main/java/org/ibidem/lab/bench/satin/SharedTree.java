package org.ibidem.lab.bench.satin;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.ibidem.hub.Hub;
import org.ibidem.lab.bench.crowd.Worker;

/// A tree of calls shared by some processes, beside a fork-join pool of as many threads in one.
///
/// @param ours seconds that each run took
/// @param theirs those of the pool, by turns with ours
public record SharedTree(List<Double> ours, List<Double> theirs) {
    /// What is run.
    public static final String WHAT = "queens 12 4";

    private static final double NANOS = 1e9;

    /// For each process: where they share cores all compilers do.
    private static final double WARM_SECONDS = 2;

    /// Runs it.
    ///
    /// @param processes how many, and threads of the pool
    /// @param rounds how often, after some that do not count
    public static SharedTree play(int processes, int rounds) throws IOException {
        var thieves = new ArrayList<Worker>();
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0));
                var fork = SatinBench.ready("fork", "" + processes);
                var root = SatinBench.ready("root", "" + hub.port(), "tree");
                Closeable _ = () -> thieves.forEach(Worker::close)) {
            for (int i = 1; i < processes; i++) {
                thieves.add(SatinBench.ready("thief", "" + hub.port(), "tree"));
            }
            var before = root.ask("given");
            warm(root, processes);
            signal(thieves, "STOP");
            warm(fork, processes);
            var times = new SharedTree(new ArrayList<>(), new ArrayList<>());
            for (int round = 0; round < rounds; round++) {
                times.theirs.add(seconds(fork));
                signal(thieves, "CONT");
                times.ours.add(seconds(root));
                signal(thieves, "STOP"); // else they would ask for work while the pool has a turn
            }
            signal(thieves, "CONT");
            SatinBench.requireShared(root, before);
            return times;
        } finally {
            thieves.forEach(Worker::close);
        }
    }

    private static void warm(Worker one, int processes) throws IOException {
        double warmed = 0;
        while (warmed < WARM_SECONDS * processes) {
            warmed += seconds(one);
        }
    }

    private static double seconds(Worker one) throws IOException {
        return Double.parseDouble(one.ask(WHAT)) / NANOS;
    }

    private static void signal(List<Worker> all, String name) throws IOException {
        for (var one : all) {
            one.signal(name);
        }
    }
}
