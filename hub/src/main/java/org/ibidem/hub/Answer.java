package org.ibidem.hub;

import org.ibidem.registry.Member;
import org.ibidem.registry.wire.JoinRefusal;

/// What [Pools] says to whoever gave a command. What follows for the members is in the pools' logs.
sealed interface Answer {
    /// The node is a member, on this session.
    ///
    /// @param member it
    /// @param size of the pool, or 0
    /// @param last number of the pool's last change, this one's included
    record Accepted(Member member, int size, long last) implements Answer {}

    /// The node is no member.
    ///
    /// @param code why
    /// @param text why, for people
    record Refused(JoinRefusal code, String text) implements Answer {}

    /// Nothing is known of a pool that the node was in: it should say what it knows, and attach
    /// again.
    record Forgotten() implements Answer {}

    /// Done, or nothing was to do.
    record Done() implements Answer {}
}
