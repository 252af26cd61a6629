package org.ibidem.lab.bench.suite;

import java.util.ArrayList;
import java.util.List;
import org.ibidem.lab.bench.Contestant;
import org.ibidem.lab.bench.Contestant.Waiting;
import org.ibidem.lab.bench.Measure;
import org.ibidem.lab.bench.duel.Benchmark;
import org.ibidem.lab.bench.figures.Aim;
import org.ibidem.lab.bench.peers.IbidemMpi;
import org.ibidem.lab.bench.peers.MpiPeer;
import org.ibidem.lab.bench.peers.MpjExpress;

/// Our MPI between two processes of a machine, against MPI in C over the same network and MPJ
/// Express.
final class MpjBench {
    private static final String SHM = "ibidem-mpj-shm";
    private static final String SHM_USUAL = SHM + "-usual";
    private static final String TCP = "ibidem-mpj-tcp";

    private MpjBench() {}

    static Benchmark make() {
        var aims = new ArrayList<Aim>();
        against(aims, SHM, "openmpi", 1.3, "half-8B");
        against(aims, SHM, "openmpi", 1.8, "byte-64KiB", "byte-1MiB");
        against(aims, TCP, "openmpi-tcp", 1.0, "half-8B", "half-64KiB", "byte-64KiB", "byte-1MiB");
        against(aims, SHM_USUAL, "mpj-express-multicore", 10, "half-8B");
        against(aims, SHM_USUAL, "mpj-express-niodev", 10, "half-8B");
        return new Benchmark(
                "mpj",
                "MPI for Java against MPI in C and MPJ Express",
                contestants(),
                measures(),
                aims);
    }

    /// The same over the size of messages, for a picture.
    static Benchmark sizes() {
        var measures = new ArrayList<Measure>();
        var sizes = List.of(8, 64, 512, 4 << 10, 32 << 10, 256 << 10, 2 << 20);
        sizes.forEach(bytes -> measures.add(Measure.halfTrip(size(bytes), bytes)));
        sizes.stream()
                .map(bytes -> 8 * bytes)
                .forEach(bytes -> measures.add(Measure.bytes(size(bytes), bytes)));
        return new Benchmark(
                "mpj-sizes",
                "MPI for Java against MPI in C and MPJ Express, over the size of messages",
                contestants(),
                measures,
                List.of());
    }

    private static String size(int bytes) {
        if (bytes < 1 << 10) {
            return bytes + "B";
        }
        return bytes < 1 << 20 ? (bytes >> 10) + "KiB" : (bytes >> 20) + "MiB";
    }

    private static List<Contestant> contestants() {
        return List.of(
                new IbidemMpi("shm", Waiting.SPIN),
                new IbidemMpi("shm", Waiting.USUAL),
                new IbidemMpi("tcp", Waiting.SPIN),
                MpiPeer.openMpi(),
                MpiPeer.mpich(),
                MpiPeer.openMpiOverTcp(),
                new MpjExpress("multicore"),
                new MpjExpress("niodev"));
    }

    private static List<Measure> measures() {
        return List.of(
                Measure.halfTripOfWord(),
                Measure.halfTrip("1KiB", 1 << 10),
                Measure.halfTrip("64KiB", 64 << 10),
                Measure.rate("32B", 32),
                Measure.window(64, "32B", 32),
                Measure.bytes("64KiB", 64 << 10),
                Measure.bytes("1MiB", 1 << 20),
                Measure.bytes("16MiB", 16 << 20),
                Measure.ints("1MiB", 1 << 20),
                Measure.doubles("1MiB", 1 << 20),
                Measure.vector("1MiB", 1 << 20, 4),
                Measure.tree(1023));
    }

    private static void against(
            List<Aim> aims, String ours, String peer, double aim, String... metrics) {
        for (var metric : metrics) {
            aims.add(new Aim.Ratio(metric, ours, peer, aim));
        }
    }
}
