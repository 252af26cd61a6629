package org.ibidem.hub.pools;

import java.util.Set;

/// How much [Pools] hold, and when a member without contact is dead.
///
/// @param suspicion nanoseconds that a member without contact is waited for
/// @param pools at most that are not governed
/// @param members at most: of each governed pool, and of all others together
/// @param changes of each pool that are kept for those who missed some
/// @param governed the pools that have an authority: they have room of their own
public record Limits(long suspicion, int pools, int members, int changes, Set<String> governed) {
    /// The same where no pool has an authority.
    public Limits(long suspicion, int pools, int members, int changes) {
        this(suspicion, pools, members, changes, Set.of());
    }

    /// Checks them.
    public Limits {
        governed = Set.copyOf(governed);
    }

    /// So many members of each pool have room whatever others hold: the names of pools that are not
    /// governed are anybody's choice, and one pool that is full must not keep the others out.
    public int reserved() {
        return members / 4 / pools;
    }
}
