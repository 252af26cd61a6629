package org.ibidem.registry;

import org.ibidem.topology.Location;
import org.ibidem.topology.NodeId;

/// One node of a pool, as the others know it.
///
/// @param id who it is
/// @param rank its number in the pool, from 0; no two members of a pool have the same one
/// @param location where it is
/// @param tag what its program says of it, as it was when it joined
public record Member(NodeId id, int rank, Location location, Tag tag) {
    /// One of which nothing more is said.
    public Member(NodeId id, int rank, Location location) {
        this(id, rank, location, Tag.NONE);
    }

    /// Checks the rank.
    public Member {
        if (rank < 0) {
            throw new IllegalArgumentException("a rank is 0 or more, not " + rank);
        }
    }

    @Override
    public String toString() {
        return rank + ":" + id.brief() + "@" + location;
    }
}
