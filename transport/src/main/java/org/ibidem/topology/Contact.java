package org.ibidem.topology;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;

/// What one needs to know to reach a node: where it may listen, and what its drivers published.
/// Only hints: the node is reached when the key behind its id was proved.
///
/// @param id whom to reach
/// @param addresses resolved addresses it listens on, best first
/// @param places what each network driver published, by driver name
public record Contact(NodeId id, List<InetSocketAddress> addresses, Map<String, String> places) {
    /// Keeps its own copies.
    public Contact {
        addresses = List.copyOf(addresses);
        places = Map.copyOf(places);
    }
}
