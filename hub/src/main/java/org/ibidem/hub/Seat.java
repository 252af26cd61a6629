package org.ibidem.hub;

import org.ibidem.registry.Member;
import org.ibidem.topology.Contact;
import org.jspecify.annotations.Nullable;

/// A member and what the hub knows of it.
final class Seat {
    final Member member;

    /// How to reach it; null for one that only others remember.
    @Nullable Contact contact;

    /// Its connection; 0: none yet in this run of the hub.
    long session;

    /// Whether contact is lost now.
    boolean suspected;

    /// When a suspected one counts as dead, in nanoseconds.
    long deadline;

    Seat(Member member) {
        this.member = member;
    }
}
