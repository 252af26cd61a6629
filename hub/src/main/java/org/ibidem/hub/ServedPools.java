package org.ibidem.hub;

import java.util.Set;
import org.ibidem.handshake.Admission;
import org.ibidem.handshake.Refusal;

/// Which pools a hub serves. A hub that has an authority for some pools serves no others, unless it
/// is told to: the name of a pool is chosen by the peer that connects, so a name that the hub does
/// not know must not open what the known ones protect. A hub without any authority serves all.
///
/// @param governed the pools that have an authority at this hub
/// @param others whether it serves others beside them
record ServedPools(Set<String> governed, boolean others) {
    ServedPools {
        governed = Set.copyOf(governed);
    }

    /// What a pool's connections, members and memory are counted under, so that no pool takes
    /// another one's room: each pool that has an authority is counted by itself, all others
    /// together, as strangers choose their names. Empty for these.
    String account(String pool) {
        return governed.contains(pool) ? pool : "";
    }

    private boolean serves(String pool) {
        return others || governed.isEmpty() || governed.contains(pool);
    }

    /// Asks for the pool first. A connection that names none is left to what comes next.
    Admission before(Admission next) {
        return (claimed, hello) ->
                hello.pool().isEmpty() || serves(hello.pool())
                        ? next.judge(claimed, hello)
                        : new Admission.Refused(Refusal.POOL, refusal(hello.pool()));
    }

    /// Names no pool that the peer has not named itself: it is a stranger.
    private static String refusal(String pool) {
        return "this hub has no authority for pool '"
                + pool
                + "', and takes no pool without one: correct the pool's name, or have the hub"
                + " started with an --authority for it, or with --other-pools";
    }
}
