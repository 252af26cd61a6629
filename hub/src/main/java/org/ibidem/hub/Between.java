package org.ibidem.hub;

import java.net.InetSocketAddress;
import org.ibidem.link.StreamPath;
import org.ibidem.registry.wire.Request;

/// What stands between a node and the hub, as far as the addresses of their connection show it:
/// each end says which it sees.
///
/// @param taken something took the connection before the hub did, and made another one: a forwarder
///   or a proxy, whose end is not the node's. A NAT does not, it only rewrites; one that hands the
///   hub's port on cannot be told from a forwarder, and counts as one. A proxy that nobody has
///   chosen, since the network sends all connections through it, looks like a NAT
/// @param nothing not even a NAT: the node listens where its connection comes from, and nobody else
///   can be at its addresses, seen from here
record Between(boolean taken, boolean nothing) {
    /// Nothing is known of it.
    static final Between UNKNOWN = new Between(true, false);

    /// Compares what the node sees with what the hub sees.
    static Between of(StreamPath connection, Request.Attach wish) {
        var said = wish.arrival();
        var seen = connection.remote();
        boolean taken = !said.to().equals(Request.Arrival.text(connection.local()));
        boolean same = !taken && said.from().equals(Request.Arrival.text(seen));
        return new Between(
                taken,
                same
                        && seen instanceof InetSocketAddress from
                        && Prober.reaches(from.getAddress(), wish.contact().addresses()));
    }
}
