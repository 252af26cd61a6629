package org.ibidem.port;

import org.ibidem.registry.Node;

/// Where the numbers of a send port's messages come from: counted here.
class Numbers {
    private long last;

    static Numbers of(Node node, PortType type) {
        return new Numbers();
    }

    /// The next one, more than all before. Called by the one thread that has the port's turn.
    long next() {
        return last++;
    }
}
