package org.ibidem.lab.bench.suite;

import java.util.ArrayList;
import java.util.List;
import org.ibidem.lab.bench.Contestant;
import org.ibidem.lab.bench.Contestant.Waiting;
import org.ibidem.lab.bench.Measure;
import org.ibidem.lab.bench.duel.Benchmark;
import org.ibidem.lab.bench.figures.Aim;
import org.ibidem.lab.bench.peers.BareRing;
import org.ibidem.lab.bench.peers.IbidemCircuit;
import org.ibidem.lab.bench.peers.IbidemPorts;
import org.ibidem.lab.bench.peers.RawSocket;
import org.ibidem.lab.bench.peers.SeamLink;

/// What the seam between messages and drivers costs: against a bare ring, and against a raw socket.
final class SeamBench {
    private static final String RING = "ring-bare";

    /// By how much 8 bytes over the ring may be slower than the bare ring.
    private static final double WITHIN_NANOS = 15;

    /// What multiplexing may cost a circuit more than a link by hand: PadicoTM claims 0.1 us.
    private static final double MULTIPLEXING_NANOS = 100;

    /// The share of the bare ring's bandwidth.
    private static final double BANDWIDTH = 0.9;

    /// The share of a raw socket that waits the same way.
    private static final double TCP = 0.97;

    private SeamBench() {}

    static Benchmark make() {
        var contestants = new ArrayList<Contestant>();
        contestants.add(new BareRing());
        contestants.add(new IbidemPorts("shm", "shm", Waiting.SPIN));
        contestants.add(new IbidemPorts("shm-fragment", "fragment > shm", Waiting.SPIN));
        contestants.add(new SeamLink("seam-shm", "shm"));
        contestants.add(new SeamLink("seam-fragment", "fragment > shm"));
        contestants.add(new IbidemCircuit("shm"));
        contestants.add(new RawSocket(Waiting.SPIN));
        contestants.add(new IbidemPorts("tcp", "tcp", Waiting.SPIN));
        contestants.add(new SeamLink("seam-tcp", "tcp"));
        contestants.add(new RawSocket(Waiting.SELECT));
        contestants.add(new IbidemPorts("tcp", "tcp", Waiting.SELECT));
        return new Benchmark(
                "seam",
                "messages through the seam against a bare ring and a raw socket",
                contestants,
                measures(),
                aims());
    }

    private static List<Aim> aims() {
        var aims = new ArrayList<Aim>();
        for (var ours : List.of("ibidem-shm", "seam-shm")) {
            aims.add(new Aim.Within("half-8B", ours, RING, WITHIN_NANOS));
            for (var size : List.of("64KiB", "1MiB", "16MiB")) {
                aims.add(new Aim.Limit("byte-" + size, ours, RING, BANDWIDTH));
                aims.add(new Aim.Limit("double-" + size, ours, RING, BANDWIDTH));
            }
            for (var metric : List.of("half-8B", "byte-64KiB", "byte-1MiB", "byte-16MiB")) {
                aims.add(new Aim.NoGarbage(metric, ours));
            }
        }
        aims.add(new Aim.Within("half-8B", "circuit-shm", "seam-shm", MULTIPLEXING_NANOS));
        for (var ours : List.of("ibidem-tcp", "ibidem-tcp-select")) {
            aims.add(new Aim.NoGarbage("byte-64KiB", ours));
            aims.add(new Aim.NoGarbage("byte-1MiB", ours));
        }
        for (var metric : List.of("half-8B", "half-1KiB", "byte-64KiB", "byte-1MiB")) {
            aims.add(new Aim.Limit(metric, "ibidem-tcp", "socket-spin", TCP));
            aims.add(new Aim.Limit(metric, "ibidem-tcp-select", "socket-select", TCP));
        }
        return aims;
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
