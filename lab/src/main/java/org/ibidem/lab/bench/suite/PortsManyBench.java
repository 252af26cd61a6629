package org.ibidem.lab.bench.suite;

import java.util.List;
import org.ibidem.lab.bench.Contestant.Waiting;
import org.ibidem.lab.bench.Measure;
import org.ibidem.lab.bench.duel.Benchmark;
import org.ibidem.lab.bench.figures.Aim;
import org.ibidem.lab.bench.peers.BesideIdle;
import org.ibidem.lab.bench.peers.ToSeveral;

/// Many links of one port over shared memory: what those that say nothing cost one that does, and
/// what several receivers of the same messages cost.
final class PortsManyBench {
    private PortsManyBench() {}

    static Benchmark make() {
        return new Benchmark(
                "ports-many",
                "one busy link over shared memory beside idle ones, and messages to three receivers",
                List.of(
                        new BesideIdle(0, Waiting.SPIN),
                        new BesideIdle(1, Waiting.SPIN),
                        new BesideIdle(8, Waiting.SPIN),
                        new BesideIdle(64, Waiting.SPIN),
                        new BesideIdle(0, Waiting.SELECT),
                        new BesideIdle(64, Waiting.SELECT),
                        new ToSeveral(1, false),
                        new ToSeveral(3, false),
                        new ToSeveral(3, true)),
                List.of(
                        Measure.halfTripOfWord(),
                        Measure.rateOfFive(),
                        Measure.bytes("64KiB", 64 << 10)),
                List.of(
                        new Aim.Ratio("half-8B", "beside-64", "beside-0", 0.8),
                        new Aim.Ratio("rate-32B", "beside-64", "beside-0", 0.8)));
    }
}
