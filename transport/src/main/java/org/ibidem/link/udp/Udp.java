package org.ibidem.link.udp;

/// The options of the `udp` driver.
///
/// @param datagram bytes of one datagram on the network, all headers of ours included: what fits
///   into a packet everywhere on the way, or the network takes it to pieces
public record Udp(int datagram) {
    /// What fits into a packet of IPv6 with its smallest MTU, 1280 (RFC 8200), with its header and
    /// that of UDP.
    static final int USUAL = 1232;

    private static final int LEAST = 256;

    /// The most that UDP carries over IPv4 (RFC 768).
    static final int MOST = 65_507;

    /// The defaults.
    public Udp() {
        this(USUAL);
    }

    /// Checks the size.
    public Udp {
        if (datagram < LEAST || datagram > MOST) {
            throw new IllegalArgumentException(
                    "a datagram has %d to %d bytes".formatted(LEAST, MOST));
        }
    }
}
