package org.ibidem.lab.bench.suite;

import java.util.List;
import org.ibidem.lab.bench.Contestant.Waiting;
import org.ibidem.lab.bench.Measure;
import org.ibidem.lab.bench.duel.Benchmark;
import org.ibidem.lab.bench.figures.Aim;
import org.ibidem.lab.bench.peers.NettyNio;
import org.ibidem.lab.bench.peers.RawSocket;
import org.ibidem.lab.bench.peers.VLinkPeer;

/// Programs of sockets: Netty over our provider against Netty over the JDK's, and what a VLink
/// takes beside a socket.
final class SocketsBench {
    /// How much better shared memory is to be for a program that believes it speaks TCP.
    private static final double NEAR = 3;

    /// The share of a raw socket's figures.
    private static final double SHARE = 0.95;

    private static final String LATENCY = "half-8B";
    private static final String THROUGHPUT = "byte-64KiB";

    private SocketsBench() {}

    static Benchmark make() {
        return new Benchmark(
                "sockets",
                "Netty over our provider and shm against Netty over loopback TCP; VLinks and raw sockets",
                List.of(
                        new NettyNio(true, Waiting.SPIN),
                        new NettyNio(false, Waiting.SPIN),
                        new NettyNio(true, Waiting.SELECT),
                        new NettyNio(false, Waiting.SELECT),
                        new VLinkPeer("tcp", Waiting.SPIN),
                        new RawSocket(Waiting.SPIN),
                        new VLinkPeer("tcp", Waiting.BLOCK),
                        new RawSocket(Waiting.BLOCK)),
                List.of(Measure.halfTripOfWord(), Measure.bytes("64KiB", 64 << 10)),
                List.of(
                        new Aim.Ratio(LATENCY, "netty-shm-spin", "netty-tcp-spin", NEAR),
                        new Aim.Ratio(THROUGHPUT, "netty-shm-spin", "netty-tcp-spin", NEAR),
                        new Aim.Ratio(THROUGHPUT, "netty-shm", "netty-tcp", NEAR),
                        new Aim.Limit(LATENCY, "vlink-tcp-spin", "socket-spin", SHARE),
                        new Aim.Limit(THROUGHPUT, "vlink-tcp-spin", "socket-spin", SHARE),
                        new Aim.Limit(LATENCY, "vlink-tcp-block", "socket-block", SHARE),
                        new Aim.Limit(THROUGHPUT, "vlink-tcp-block", "socket-block", SHARE)));
    }
}
