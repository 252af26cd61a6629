package org.ibidem.port;

import org.ibidem.topology.NodeId;

/// A receive port as seen by a sender.
///
/// @param node whose it is
/// @param port its name there
public record Target(NodeId node, String port) {
    @Override
    public String toString() {
        return "port '" + port + "' of node " + node.brief();
    }
}
