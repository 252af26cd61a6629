package org.ibidem.lab.bench.suite;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.ibidem.lab.bench.Contestant;
import org.ibidem.lab.bench.Contestant.Waiting;
import org.ibidem.lab.bench.Measure;
import org.ibidem.lab.bench.duel.Benchmark;
import org.ibidem.lab.bench.figures.Aim;
import org.ibidem.lab.bench.peers.IbidemPorts;
import org.ibidem.lab.bench.peers.NettyPeer;
import org.ibidem.lab.bench.peers.ObjectStreams;
import org.ibidem.lab.bench.peers.RawSocket;

/// Message ports over TCP against what a user could choose instead.
final class PortsTcpBench {
    /// Our ports, and who waits in the same way: a raw socket, a Netty.
    private record Match(String ours, String floor, String netty) {}

    private static final List<Match> MATCHES =
            List.of(
                    new Match("ibidem-tcp", "socket-spin", "netty-epoll-spin"),
                    new Match("ibidem-tcp-select", "socket-select", "netty-epoll"));

    /// Both as they come.
    private static final Match USUAL = new Match("ibidem-tcp-usual", "", "netty-epoll");

    /// Streams that are held back and leave together.
    private static final Match HELD =
            new Match("ibidem-tcp-held", "socket-held-spin", "netty-epoll-held-spin");

    private static final List<String> LATENCIES = List.of("half-8B", "half-1KiB");
    private static final List<String> ARRAYS = List.of("byte-100kB", "int-100kB", "double-100kB");
    private static final List<String> THROUGHPUTS =
            Stream.concat(ARRAYS.stream(), Stream.of("tree-1023")).toList();

    /// The share of a raw socket's latency, and of its throughput.
    private static final double LATENCY = 0.97;

    private static final double THROUGHPUT = 0.98;

    /// How much better than Netty.
    private static final double NETTY = 1.3;

    private PortsTcpBench() {}

    static Benchmark make() {
        return new Benchmark(
                "ports-tcp",
                "message ports over TCP against raw sockets, Netty and object streams",
                contestants(),
                measures(),
                aims());
    }

    private static List<Contestant> contestants() {
        return List.of(
                new IbidemPorts("tcp", "tcp", Waiting.SPIN),
                new IbidemPorts("tcp", "tcp", Waiting.SELECT),
                new IbidemPorts("tcp", "tcp", Waiting.USUAL),
                IbidemPorts.held("tcp-held", "tcp", Waiting.SPIN),
                new RawSocket(Waiting.SPIN),
                RawSocket.held(Waiting.SPIN),
                new RawSocket(Waiting.SELECT),
                new RawSocket(Waiting.BLOCK),
                NettyPeer.epollSpinning(),
                NettyPeer.epollHolding(),
                NettyPeer.epoll(),
                NettyPeer.nio(),
                new ObjectStreams());
    }

    private static List<Aim> aims() {
        var aims = new ArrayList<Aim>();
        for (var match : MATCHES) {
            for (var metric : LATENCIES) {
                aims.add(new Aim.Limit(metric, match.ours, match.floor, LATENCY));
                aims.add(new Aim.Ratio(metric, match.ours, match.netty, NETTY));
            }
            for (var metric : THROUGHPUTS) {
                aims.add(new Aim.Limit(metric, match.ours, match.floor, THROUGHPUT));
                aims.add(new Aim.Ratio(metric, match.ours, match.netty, NETTY));
            }
        }
        for (var metric : ARRAYS) {
            aims.add(new Aim.Limit(metric, HELD.ours, HELD.floor, THROUGHPUT));
            aims.add(new Aim.Ratio(metric, HELD.ours, HELD.netty, NETTY));
        }
        for (var metrics : List.of(LATENCIES, THROUGHPUTS)) {
            for (var metric : metrics) {
                aims.add(new Aim.Ratio(metric, USUAL.ours, USUAL.netty, NETTY));
            }
        }
        for (var metric :
                List.of("half-8B", "half-1KiB", "byte-100kB", "int-100kB", "double-100kB")) {
            aims.add(new Aim.NoGarbage(metric, "ibidem-tcp"));
        }
        return aims;
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
