package org.ibidem.registry.uplink;

import org.ibidem.accept.HubPlace;

/// Where a hub listens, as people write it: `host:port`, an IPv6 host in brackets.
///
/// @param host name or address, without brackets
/// @param port 1 to 65535
public record HubAddress(String host, int port) {
    /// The same, to be connected to.
    public HubPlace place() {
        return new HubPlace(host, port);
    }

    /// Reads one.
    ///
    /// @throws IllegalArgumentException that says how it is written
    public static HubAddress parse(String text) {
        var place = HubPlace.parse(text);
        return new HubAddress(place.host(), place.port());
    }

    @Override
    public String toString() {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }
}
