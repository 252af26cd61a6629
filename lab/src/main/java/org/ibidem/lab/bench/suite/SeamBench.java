package org.ibidem.lab.bench.suite;

import java.util.ArrayList;
import java.util.List;
import org.ibidem.lab.bench.Contestant;
import org.ibidem.lab.bench.Contestant.Waiting;
import org.ibidem.lab.bench.Measure;
import org.ibidem.lab.bench.duel.Benchmark;
import org.ibidem.lab.bench.figures.Aim;
import org.ibidem.lab.bench.peers.BareRing;
import org.ibidem.lab.bench.peers.RawSocket;

/// What the seam between messages and drivers costs: against a bare ring, and against a raw socket.
final class SeamBench {
    private SeamBench() {}

    static Benchmark make() {
        var contestants = new ArrayList<Contestant>();
        contestants.add(new BareRing());
        contestants.add(new RawSocket(Waiting.SPIN));
        contestants.add(new RawSocket(Waiting.SELECT));
        return new Benchmark(
                "seam",
                "messages through the seam against a bare ring and a raw socket",
                contestants,
                measures(),
                List.<Aim>of());
    }

    private static List<Measure> measures() {
        var measures = new ArrayList<Measure>();
        measures.add(Measure.halfTripOfWord());
        measures.add(Measure.halfTrip("1KiB", 1 << 10));
        measures.add(Measure.rateOfFive());
        measures.add(Measure.bytes("64KiB", 64 << 10));
        measures.add(Measure.bytes("1MiB", 1 << 20));
        measures.add(Measure.bytes("16MiB", 16 << 20));
        measures.add(Measure.doubles("64KiB", 64 << 10));
        measures.add(Measure.doubles("1MiB", 1 << 20));
        measures.add(Measure.doubles("16MiB", 16 << 20));
        return measures;
    }
}
