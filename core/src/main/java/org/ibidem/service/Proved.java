package org.ibidem.service;

import java.nio.channels.SocketChannel;
import org.ibidem.topology.NodeId;

/// A connection on which both ends have proved their keys.
///
/// @param channel in blocking mode, nothing read past the handshake; its owner is whoever gets this
/// @param key the peer's key
/// @param hello what the end that connected asked for
/// @param version of the protocol that both speak
/// @param initiator true at the end that connected
public record Proved(
        SocketChannel channel, NodeKey key, Hello hello, int version, boolean initiator) {
    /// Who the peer is.
    public NodeId peer() {
        return key.id();
    }
}
