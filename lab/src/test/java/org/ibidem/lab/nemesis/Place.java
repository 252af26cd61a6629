package org.ibidem.lab.nemesis;

import org.ibidem.registry.Membership;

/// How a node takes part: `LINK:PORT:MEMBERSHIP:open` or `…:local`.
///
/// @param link what it reaches the hub by: `direct`, or a forwarder's name
/// @param port there
/// @param membership what it wants to know of others
/// @param open whether it is open to other machines, and speaks with its hub over a trunk
record Place(String link, int port, Membership membership, boolean open) {
    static Place parse(String text) {
        var parts = text.split(":", -1);
        return new Place(
                parts[0],
                Integer.parseInt(parts[1]),
                Membership.valueOf(parts[2]),
                parts[3].equals("open"));
    }

    /// The same for a node of another kind.
    Place with(Membership another, boolean openness) {
        return new Place(link, port, another, openness);
    }

    @Override
    public String toString() {
        return link + ":" + port + ":" + membership + ":" + (open ? "open" : "local");
    }
}
