package org.ibidem.lab.bench.suite;

import java.util.List;
import org.ibidem.lab.bench.Measure;
import org.ibidem.lab.bench.duel.Benchmark;
import org.ibidem.lab.bench.figures.Aim;
import org.ibidem.lab.bench.peers.Counted;

/// What the counters cost: the same ports with them and without. Twice with them, to show how far
/// two that are alike may lie apart.
final class CountersBench {
    /// The share that ports with counters reach of those without.
    private static final double SHARE = 0.9;

    private CountersBench() {}

    static Benchmark make() {
        return new Benchmark(
                "counters",
                "message ports over shared memory with their counters and without",
                List.of(
                        new Counted("counted", true),
                        new Counted("uncounted", false),
                        new Counted("counted-too", true)),
                List.of(
                        Measure.halfTripOfWord(),
                        Measure.rateOfFive(),
                        Measure.bytes("64KiB", 64 << 10)),
                List.of(
                        new Aim.Limit("half-8B", "ibidem-counted", "ibidem-uncounted", SHARE),
                        new Aim.Limit("rate-32B", "ibidem-counted", "ibidem-uncounted", SHARE),
                        new Aim.Limit("byte-64KiB", "ibidem-counted", "ibidem-uncounted", SHARE),
                        new Aim.Limit("half-8B", "ibidem-counted", "ibidem-counted-too", SHARE),
                        new Aim.Limit("rate-32B", "ibidem-counted", "ibidem-counted-too", SHARE)));
    }
}
