package org.ibidem.registry.uplink;

import org.ibidem.service.HubPlace;

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
        int colon = text.lastIndexOf(':');
        var host = colon < 0 ? "" : text.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        } else if (host.indexOf(':') >= 0) {
            throw wrong(text);
        }
        if (host.isBlank() || host.length() > 255) {
            throw wrong(text);
        }
        return new HubAddress(host, port(text, text.substring(colon + 1)));
    }

    private static int port(String text, String digits) {
        try {
            int port = Integer.parseInt(digits);
            if (port > 0 && port <= 0xFFFF) {
                return port;
            }
        } catch (NumberFormatException _) {
            // said below
        }
        throw wrong(text);
    }

    private static IllegalArgumentException wrong(String text) {
        return new IllegalArgumentException(
                "a hub's address is host:port with a port from 1 to 65535, an IPv6 host in brackets, not '"
                        + text
                        + "'");
    }

    @Override
    public String toString() {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }
}
