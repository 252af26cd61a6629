package org.ibidem.lab.bench.suite;

import java.util.ArrayList;
import java.util.List;
import org.ibidem.lab.bench.Contestant.Waiting;
import org.ibidem.lab.bench.Measure;
import org.ibidem.lab.bench.duel.Benchmark;
import org.ibidem.lab.bench.figures.Aim;
import org.ibidem.lab.bench.peers.IbidemPorts;
import org.ibidem.lab.bench.peers.RawSocket;
import org.ibidem.lab.bench.peers.Stunnel;
import org.ibidem.lab.bench.peers.TlsHandshakes;
import org.ibidem.lab.bench.peers.TlsSocket;

/// Message ports over `tls > tcp` against a program with only an `SSLEngine` and a `SocketChannel`,
/// and against plain sockets with a stunnel beside each; and what a handshake takes.
final class TlsBench {
    /// The share of such a program's throughput, and of its latency.
    private static final double SHARE = 0.9;

    /// Ours, and who waits in the same way.
    private record Match(String ours, String floor) {}

    private static final List<Match> MATCHES =
            List.of(
                    new Match("ibidem-tls", "sslengine-spin"),
                    new Match("ibidem-tls-select", "sslengine-select"));

    private TlsBench() {}

    static Benchmark make() {
        return new Benchmark(
                "tls",
                "message ports over tls > tcp against SSLEngine and SocketChannel; handshakes",
                List.of(
                        new IbidemPorts("tls", "tls > tcp", Waiting.SPIN),
                        new IbidemPorts("tls", "tls > tcp", Waiting.SELECT),
                        new TlsSocket(Waiting.SPIN),
                        new TlsSocket(Waiting.SELECT),
                        new RawSocket(Waiting.SPIN),
                        new Stunnel(Waiting.SELECT),
                        new TlsHandshakes(TlsHandshakes.Kind.OURS),
                        new TlsHandshakes(TlsHandshakes.Kind.AGAIN),
                        new TlsHandshakes(TlsHandshakes.Kind.FULL),
                        new TlsHandshakes(TlsHandshakes.Kind.RESUMED)),
                List.of(
                        Measure.halfTrip("64B", 64),
                        Measure.bytes("64KiB", 64 << 10),
                        Measure.call(TlsHandshakes.HANDSHAKE)),
                aims());
    }

    private static List<Aim> aims() {
        var aims = new ArrayList<Aim>();
        for (var match : MATCHES) {
            for (var metric : List.of("half-64B", "byte-64KiB")) {
                aims.add(new Aim.Limit(metric, match.ours, match.floor, SHARE));
            }
        }
        for (var metric : List.of("half-64B", "byte-64KiB")) {
            aims.add(new Aim.Ratio(metric, "ibidem-tls-select", "stunnel-select", 1));
        }
        for (var kind : List.of("full", "resumed")) {
            aims.add(
                    new Aim.Limit(
                            TlsHandshakes.HANDSHAKE,
                            "ibidem-tls-" + kind,
                            "sslengine-" + kind,
                            SHARE));
        }
        return aims;
    }
}
