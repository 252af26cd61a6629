package org.ibidem.lab.bench.suite;

import java.util.List;
import org.ibidem.lab.bench.Contestant.Waiting;
import org.ibidem.lab.bench.Measure;
import org.ibidem.lab.bench.duel.Benchmark;
import org.ibidem.lab.bench.figures.Aim;
import org.ibidem.lab.bench.peers.AeronPeer;
import org.ibidem.lab.bench.peers.IbidemPorts;

/// Message ports over shared memory and Aeron, both as they wait where others need the cores, too:
/// for `./bench busy`, which plays it alone and beside loops that do nothing.
final class PortsBusyBench {
    private static final List<String> MEASURES = List.of("half-8B", "half-1KiB");

    private PortsBusyBench() {}

    static Benchmark make() {
        return new Benchmark(
                "ports-busy",
                "message ports over shared memory against Aeron, where both give way",
                List.of(new IbidemPorts("shm", "shm", Waiting.USUAL), new AeronPeer(false, true)),
                List.of(Measure.halfTripOfWord(), Measure.halfTrip("1KiB", 1 << 10)),
                MEASURES.stream()
                        .<Aim>map(
                                each -> new Aim.Ratio(each, "ibidem-shm-usual", "aeron-backoff", 1))
                        .toList());
    }
}
