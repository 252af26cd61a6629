package org.ibidem.lab.bench.relay;

import java.nio.channels.SocketChannel;
import java.time.Duration;
import org.ibidem.arbitration.Threads;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.ibidem.service.Handshake;
import org.ibidem.service.Hello;
import org.ibidem.service.HubPlace;
import org.ibidem.service.Identity;
import org.ibidem.topology.NodeId;

/// A member of a pool with a connection for routed streams that others speak on.
///
/// @param id who it is
/// @param trunk proved, in blocking mode
record Member(NodeId id, SocketChannel trunk) {
    private static final String POOL = "relay";

    /// @param port the hub's
    /// @param hub its id
    static Member join(int port, NodeId hub) {
        var identity = Identity.create();
        Node.join(Join.pool(POOL).hub("localhost:" + port).identity(identity));
        var threads = new Threads("relay");
        var handshake = new Handshake(identity, threads, Handshake.LIMIT);
        var proved =
                new HubPlace("localhost", port)
                        .dial(handshake, Hello.routed(POOL, hub), threads, Duration.ofSeconds(10));
        return new Member(identity.id(), proved.channel());
    }
}
