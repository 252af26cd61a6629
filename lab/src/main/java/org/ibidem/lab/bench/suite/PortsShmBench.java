package org.ibidem.lab.bench.suite;

import java.util.ArrayList;
import java.util.List;
import org.ibidem.lab.bench.Contestant;
import org.ibidem.lab.bench.Contestant.Waiting;
import org.ibidem.lab.bench.Measure;
import org.ibidem.lab.bench.duel.Benchmark;
import org.ibidem.lab.bench.figures.Aim;
import org.ibidem.lab.bench.peers.AeronPeer;
import org.ibidem.lab.bench.peers.BareRing;
import org.ibidem.lab.bench.peers.IbidemPorts;
import org.ibidem.lab.bench.peers.MpiPeer;
import org.ibidem.lab.bench.peers.OnlyWork;
import org.ibidem.lab.bench.peers.RawSocket;

/// Message ports over shared memory against what a user on one machine could choose instead.
final class PortsShmBench {
    private static final String OURS = "ibidem-shm";
    private static final String RING = "ring-bare";
    private static final String OPENMPI = "openmpi";
    private static final String AERON = "aeron";

    private static final int ARRAY = 1 << 20;

    private PortsShmBench() {}

    static Benchmark make() {
        return new Benchmark(
                "ports-shm",
                "message ports over shared memory against MPI in C, Aeron and sockets",
                contestants(),
                measures(),
                aims());
    }

    private static List<Contestant> contestants() {
        return List.of(
                new IbidemPorts("shm", "shm", Waiting.SPIN),
                new IbidemPorts("shm", "shm", Waiting.SELECT),
                new IbidemPorts("shm-unchecked", "shm", Waiting.SPIN, false, false),
                MpiPeer.openMpi(),
                MpiPeer.mpich(),
                new AeronPeer(false),
                new AeronPeer(true),
                new BareRing(),
                new RawSocket(Waiting.SPIN, true),
                new RawSocket(Waiting.BLOCK, true),
                new RawSocket(Waiting.SPIN),
                new RawSocket(Waiting.BLOCK),
                new OnlyWork(false),
                new OnlyWork(true));
    }

    private static List<Measure> measures() {
        return List.of(
                Measure.halfTripOfWord(),
                Measure.halfTrip("1KiB", 1 << 10),
                Measure.halfTrip("64KiB", 64 << 10),
                Measure.bytes("64KiB", 64 << 10),
                Measure.bytes("1MiB", 1 << 20),
                Measure.bytes("16MiB", 16 << 20),
                Measure.rateOfFive(),
                Measure.ints("1MiB", ARRAY),
                Measure.doubles("1MiB", ARRAY),
                Measure.tree(1023));
    }

    private static List<Aim> aims() {
        var aims = new ArrayList<Aim>();
        against(aims, OPENMPI, 1.7, "half-8B");
        against(aims, AERON, 1.2, "half-8B");
        against(aims, OPENMPI, 1.4, "half-1KiB", "byte-16MiB");
        against(aims, AERON, 1.0, "half-1KiB", "byte-64KiB", "byte-1MiB", "byte-16MiB");
        against(aims, OPENMPI, 2.0, "byte-64KiB", "byte-1MiB", "rate-32B");
        against(aims, AERON, 0.8, "rate-32B");
        against(aims, "aeron-shared", 1.2, "half-8B");
        against(aims, "aeron-shared", 0.8, "rate-32B");
        against(aims, "mpich", 1.0, "half-8B", "half-1KiB", "byte-64KiB", "byte-1MiB", "rate-32B");
        against(aims, "unix-spin", 1.0, "half-8B", "half-64KiB", "byte-64KiB", "tree-1023");
        against(aims, "socket-spin", 1.0, "half-8B", "half-64KiB", "byte-64KiB", "tree-1023");
        aims.add(new Aim.Limit("half-8B", OURS, RING, 0.75));
        for (var metric :
                List.of("byte-64KiB", "byte-1MiB", "byte-16MiB", "int-1MiB", "double-1MiB")) {
            aims.add(new Aim.Limit(metric, OURS, RING, 0.9));
        }
        for (var metric : List.of("half-8B", "half-1KiB", "byte-64KiB", "rate-32B", "int-1MiB")) {
            aims.add(new Aim.NoGarbage(metric, OURS));
        }
        return aims;
    }

    private static void against(List<Aim> aims, String peer, double aim, String... metrics) {
        for (var metric : metrics) {
            aims.add(new Aim.Ratio(metric, OURS, peer, aim));
        }
    }
}
