package org.ibidem.circuit;

import java.util.List;
import org.ibidem.arbitration.Threads;
import org.ibidem.identity.Identity;
import org.ibidem.station.NodeRuntime;

/// A circuit for what is fuzzed: without a hub, a pool or a socket.
public final class LoopCircuit {
    private LoopCircuit() {}

    /// Opens it: this process is member 0, and member 1 is never there.
    public static Circuit open(CircuitReceiver receiver) {
        var node =
                NodeRuntime.begun(
                        Identity.create(),
                        "fuzz",
                        false,
                        id -> {
                            throw new IllegalStateException("nobody looks for " + id);
                        },
                        new Threads("fuzz"));
        var members = List.of(node.id(), Identity.create().id());
        return Circuit.open(node, "fuzz", members, "loopback", receiver);
    }
}
