package org.ibidem.trust;

import java.util.Locale;

/// What somebody may be in a pool that has an authority.
public enum Role {
    /// A member: joins, reaches other members and is reached by them.
    NODE,
    /// A hub: members join through it. It cannot pass for a member.
    HUB,
    /// A member that administers the pool.
    ADMIN;

    /// As it stands in certificates.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// Whether it may deal with members as one of them.
    public boolean isMember() {
        return this != HUB;
    }
}
