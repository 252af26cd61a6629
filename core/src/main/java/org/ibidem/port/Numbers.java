package org.ibidem.port;

import org.ibidem.registry.Node;

/// Where the numbers of a send port's messages come from: counted here, or asked of the hub where
/// its type is `total`.
class Numbers {
    private long last;

    Numbers() {}

    static Numbers of(Node node, PortType type) {
        return type.has(Capability.TOTAL) ? new TotalNumbers(node, type) : new Numbers();
    }

    /// The next one, more than all before. Called by the one thread that has the port's turn.
    long next() {
        return last++;
    }
}
