package org.ibidem.port;

import org.ibidem.topology.NodeId;

/// A send port as seen by a receiver.
///
/// @param node whose it is
/// @param port its name there
public record Origin(NodeId node, String port) {
    @Override
    public String toString() {
        return "port '" + port + "' of node " + node.brief();
    }
}
