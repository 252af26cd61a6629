package org.ibidem.hub;

/// Which connections a hub takes, and how many at a time. Before a connection has joined or visited
/// a pool its peer is the address it comes from (of IPv6 the network, 64 bits); afterwards the
/// node, by its key. Who wants more is refused with the reason.
///
/// @param ofPool members and visitors of one pool that are connected, and as many trunks, 10 000 at
///   most
/// @param ofNode connections of one node to the registry, whatever pools it is in
/// @param ofAddress connections of one address that have joined nothing yet; 0: as many as there is
///   room for, which the address with the most shares with others when they come
/// @param otherPools whether a hub that has an authority for some pools takes others, too, which
///   whoever reaches it may join; a hub that has none takes all
public record ConnectionUse(int ofPool, int ofNode, int ofAddress, boolean otherPools) {
    /// 20 000 of a pool, 64 of a node, any of an address: a pool as large as may be, whose members
    /// may all be on one machine or behind one NAT.
    public static final ConnectionUse DEFAULT = new ConnectionUse(20_000, 64, 0);

    /// The same where a hub that has an authority takes no pool without one.
    public ConnectionUse(int ofPool, int ofNode, int ofAddress) {
        this(ofPool, ofNode, ofAddress, false);
    }

    /// The same; whether pools without an authority are taken beside those that have one.
    public ConnectionUse otherPools(boolean too) {
        return new ConnectionUse(ofPool, ofNode, ofAddress, too);
    }

    /// Checks them.
    public ConnectionUse {
        if (ofPool < 1 || ofNode < 1 || ofAddress < 0) {
            throw new IllegalArgumentException(
                    "a pool and a node have 1 connection or more, an address 0 (any) or more, not"
                            + " %d, %d and %d".formatted(ofPool, ofNode, ofAddress));
        }
    }
}
