package org.ibidem.hub.pools;

import org.ibidem.registry.Member;
import org.ibidem.registry.wire.JoinRefusal;
import org.ibidem.registry.wire.Outcome;

/// What [Pools] says to whoever gave a command. What follows for the members is in the pools' logs.
public sealed interface Answer {
    /// The node is a member, on this session.
    ///
    /// @param member it
    /// @param size of the pool, or 0
    /// @param last number of the pool's last change, this one's included
    /// @param beyond whether the member knows changes that had been told when the hub was started
    ///   again, and that its state does not hold
    record Accepted(Member member, int size, long last, boolean beyond) implements Answer {}

    /// The node is no member.
    ///
    /// @param code why
    /// @param text why, for people
    record Refused(JoinRefusal code, String text) implements Answer {}

    /// Not all is known of a pool that the node was in: it should say what it knows, and attach
    /// again.
    ///
    /// @param known sum of the members known already, as in [Reply.Forgotten]
    record Forgotten(long known) implements Answer {}

    /// An operation has its outcome.
    ///
    /// @param outcome what came of it, now or when it was asked for first
    record Settled(Outcome outcome) implements Answer {}

    /// Done, or nothing was to do; of an operation: it waits.
    record Done() implements Answer {}
}
