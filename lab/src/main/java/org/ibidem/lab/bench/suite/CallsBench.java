package org.ibidem.lab.bench.suite;

import java.util.List;
import org.ibidem.lab.bench.Contestant.Waiting;
import org.ibidem.lab.bench.Measure;
import org.ibidem.lab.bench.duel.Benchmark;
import org.ibidem.lab.bench.figures.Aim;
import org.ibidem.lab.bench.peers.IbidemCalls;
import org.ibidem.lab.bench.peers.IbidemPorts;
import org.ibidem.lab.bench.peers.IbidemShort;

/// What the short forms cost beside messages written by hand.
final class CallsBench {
    private static final String PORTS = "ibidem-shm-usual";

    private CallsBench() {}

    static Benchmark make() {
        return new Benchmark(
                "calls",
                "requests and replies, and objects by the short form, against message ports",
                List.of(
                        new IbidemPorts("shm", "shm", Waiting.USUAL),
                        new IbidemCalls(),
                        new IbidemShort()),
                List.of(Measure.halfTripOfWord(), Measure.tree(1023)),
                List.of(
                        new Aim.Ratio("half-8B", "ibidem-call", PORTS, 1 / 2.2),
                        new Aim.Ratio("tree-1023", "ibidem-short", PORTS, 1.0)));
    }
}
