package org.ibidem.lab.bench.suite;

import java.util.List;
import org.ibidem.lab.bench.Contestant.Waiting;
import org.ibidem.lab.bench.Measure;
import org.ibidem.lab.bench.duel.Benchmark;
import org.ibidem.lab.bench.figures.Aim;
import org.ibidem.lab.bench.peers.BesideIdle;

/// What links that say nothing cost one that does, under one receive port.
final class PortsIdleBench {
    private PortsIdleBench() {}

    static Benchmark make() {
        return new Benchmark(
                "ports-idle",
                "one busy link over shared memory beside 0, 1, 8 and 64 idle ones",
                List.of(
                        new BesideIdle(0, Waiting.SPIN),
                        new BesideIdle(1, Waiting.SPIN),
                        new BesideIdle(8, Waiting.SPIN),
                        new BesideIdle(64, Waiting.SPIN),
                        new BesideIdle(0, Waiting.SELECT),
                        new BesideIdle(64, Waiting.SELECT)),
                List.of(Measure.halfTripOfWord(), Measure.rateOfFive()),
                List.of(
                        new Aim.Ratio("half-8B", "beside-64", "beside-0", 0.8),
                        new Aim.Ratio("rate-32B", "beside-64", "beside-0", 0.8)));
    }
}
