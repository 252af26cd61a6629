package org.ibidem.connect.routed;

import java.net.SocketAddress;
import org.ibidem.topology.NodeId;

/// One end of a routed stream: a node, at whatever address.
final class RoutedAddress extends SocketAddress {
    private static final long serialVersionUID = 1L;

    private final transient NodeId node;

    RoutedAddress(NodeId node) {
        this.node = node;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RoutedAddress that && node.equals(that.node);
    }

    @Override
    public int hashCode() {
        return node.hashCode();
    }

    @Override
    public String toString() {
        return "node " + node.brief() + " through the hub";
    }
}
