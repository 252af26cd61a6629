package org.ibidem.connect.routed;

import java.net.SocketAddress;
import org.ibidem.topology.NodeId;

/// One end of a stream of a trunk: a node, at whatever address.
final class RoutedAddress extends SocketAddress {
    private static final long serialVersionUID = 1L;

    private final transient NodeId node;
    private final transient boolean routed;

    /// @param routed whether through the hub
    RoutedAddress(NodeId node, boolean routed) {
        this.node = node;
        this.routed = routed;
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
        return "node " + node.brief() + (routed ? " through the hub" : " over a shared connection");
    }
}
