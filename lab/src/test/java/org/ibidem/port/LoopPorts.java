package org.ibidem.port;

import org.ibidem.arbitration.Threads;
import org.ibidem.service.Identity;
import org.ibidem.service.Station;

/// A sender and a receiver in this process, for what is fuzzed: without a hub, a pool or a socket.
///
/// @param out connected
/// @param in the only receiver
public record LoopPorts(SendPort out, ReceivePort in) {
    /// Opens both.
    public static LoopPorts open(PortType type, String name) {
        var node =
                new Station(
                        Identity.create(),
                        "fuzz",
                        false,
                        id -> {
                            throw new IllegalStateException("nobody looks for " + id);
                        },
                        new Threads("fuzz"));
        var in = ReceivePort.open(node, type, name, ReceiveSetup.USUAL);
        var out = SendPort.open(node, type, name, SendSetup.USUAL);
        out.connect(node.id(), name);
        return new LoopPorts(out, in);
    }
}
