package org.ibidem.hub;

import java.net.InetSocketAddress;
import java.util.LinkedHashSet;
import org.ibidem.link.Path;
import org.ibidem.topology.Contact;
import org.jspecify.annotations.Nullable;

/// Completes what a member says of its addresses by what the hub sees. A member that listens at a
/// chosen port, which its NAT may hand on, publishes it at the wildcard address; it stands for the
/// address the member's connection comes from, and is tried last.
final class Observed {
    private Observed() {}

    /// Where a connection comes from, if that is known.
    static @Nullable InetSocketAddress from(Path connection) {
        return connection.remote() instanceof InetSocketAddress known && !known.isUnresolved()
                ? known
                : null;
    }

    /// The same contact with the address seen in the place of the wildcard one.
    ///
    /// @param from where its connection comes from, or null when that is not known
    static Contact in(Contact published, @Nullable InetSocketAddress from) {
        var seen = from == null ? null : from.getAddress();
        var addresses = new LinkedHashSet<InetSocketAddress>();
        for (var address : published.addresses()) {
            if (!address.getAddress().isAnyLocalAddress()) {
                addresses.add(address);
            }
        }
        if (seen != null && !seen.isLoopbackAddress()) {
            for (var address : published.addresses()) {
                if (address.getAddress().isAnyLocalAddress()) {
                    addresses.add(new InetSocketAddress(seen, address.getPort()));
                }
            }
        }
        return new Contact(published.id(), addresses.stream().toList(), published.places());
    }
}
