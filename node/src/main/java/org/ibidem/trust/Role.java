package org.ibidem.trust;

import java.util.Locale;

/// What somebody may be in a pool that has an authority.
public enum Role {
    /// A member: joins, reaches other members and is reached by them.
    NODE,
    /// A hub: members join through it. It cannot pass for a member.
    HUB,
    /// A member that administers the pool.
    ADMIN,
    /// Lets nodes into the pool in the authority's place, for a while. It is no member.
    DELEGATE;

    /// As it stands in certificates.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// Whether it may deal with members as one of them.
    public boolean isMember() {
        return this == NODE || this == ADMIN;
    }

    /// Whether it may let others in by a code.
    public boolean mayInvite() {
        return this == ADMIN || this == DELEGATE;
    }
}
