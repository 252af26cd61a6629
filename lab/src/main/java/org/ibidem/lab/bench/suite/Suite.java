package org.ibidem.lab.bench.suite;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.ibidem.lab.bench.Contestant;
import org.ibidem.lab.bench.duel.Benchmark;
import org.ibidem.lab.bench.duel.Duel;
import org.ibidem.lab.bench.duel.Report;
import org.ibidem.lab.bench.duel.Side;

/// All benchmarks of this kind, and how one is run.
public final class Suite {
    /// The benchmarks there are.
    public static final List<Benchmark> ALL =
            List.of(
                    SeamBench.make(),
                    PortsTcpBench.make(),
                    TlsBench.make(),
                    PortsShmBench.make(),
                    PortsManyBench.make(),
                    PortsBusyBench.make(),
                    SocketsBench.make(),
                    MpjBench.make(),
                    MpjBench.sizes(),
                    CallsBench.make(),
                    CountersBench.make());

    private Suite() {}

    /// Where the two processes begin: `leader` or `follower`, the benchmark's name, and the folder
    /// for both.
    public static void main(String[] args) throws Exception {
        Side.run(args[0], named(args[1]), Path.of(args[2]));
    }

    /// The benchmark of this name.
    public static Benchmark named(String name) {
        return ALL.stream()
                .filter(b -> b.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no benchmark is called " + name));
    }

    /// Runs one from the command line, prints its table and lines, and writes its JSON file.
    public static void run(String name, String... arguments)
            throws IOException, InterruptedException {
        var options = Options.parse(named(name), arguments);
        var benchmark = named(name).only(options.only());
        var leftOut = new LinkedHashMap<String, String>();
        var contestants = contestants(benchmark, options, leftOut);
        try (var duel = new Duel(benchmark, contestants, options.plan(), Suite.class)) {
            var report = new Report(benchmark, contestants, duel.play(), leftOut);
            report.write(options.json());
            System.err.println("bench: wrote " + options.json());
            report.print(System.out);
        }
    }

    private static List<Contestant> contestants(
            Benchmark benchmark, Options options, Map<String, String> leftOut) {
        var those = new ArrayList<Contestant>();
        for (var contestant : benchmark.contestants()) {
            var missing =
                    options.without().contains(contestant.name())
                            ? "as told"
                            : contestant.missing().orElse("");
            if (missing.isEmpty()) {
                those.add(contestant);
            } else {
                leftOut.put(contestant.name(), missing);
            }
        }
        return those;
    }
}
