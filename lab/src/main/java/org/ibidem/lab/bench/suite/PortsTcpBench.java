package org.ibidem.lab.bench.suite;

import java.util.List;
import org.ibidem.lab.bench.Contestant;
import org.ibidem.lab.bench.Contestant.Waiting;
import org.ibidem.lab.bench.Measure;
import org.ibidem.lab.bench.duel.Benchmark;
import org.ibidem.lab.bench.figures.Aim;
import org.ibidem.lab.bench.peers.NettyPeer;
import org.ibidem.lab.bench.peers.ObjectStreams;
import org.ibidem.lab.bench.peers.RawSocket;

/// Message ports over TCP against what a user could choose instead.
final class PortsTcpBench {
    private PortsTcpBench() {}

    static Benchmark make() {
        return new Benchmark(
                "ports-tcp",
                "message ports over TCP against raw sockets, Netty and object streams",
                contestants(),
                measures(),
                List.<Aim>of());
    }

    private static List<Contestant> contestants() {
        return List.of(
                new RawSocket(Waiting.SPIN),
                new RawSocket(Waiting.SELECT),
                new RawSocket(Waiting.BLOCK),
                NettyPeer.epollSpinning(),
                NettyPeer.epoll(),
                NettyPeer.nio(),
                new ObjectStreams());
    }

    private static List<Measure> measures() {
        return List.of(
                Measure.halfTripOfWord(),
                Measure.halfTrip("1KiB", 1 << 10),
                Measure.bytes("100kB", 100_000),
                Measure.ints("100kB", 100_000),
                Measure.doubles("100kB", 100_000 / 32 * 32),
                Measure.tree(1023));
    }
}
