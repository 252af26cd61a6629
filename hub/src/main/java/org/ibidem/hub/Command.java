package org.ibidem.hub;

import java.util.List;
import org.ibidem.registry.Member;
import org.ibidem.registry.wire.Request;
import org.ibidem.topology.NodeId;

/// Everything that can happen to [Pools]. What the hub sees and when it saw it comes in here, and
/// only here, so that the same commands give the same pools on every machine and in every year.
///
/// A *session* is one connection of one member; its number is new for every connection. What ends
/// an old session says nothing about a member that is already back on a new one.
sealed interface Command {
    /// A node whose key was proved wants to become a member, or to be connected again.
    ///
    /// @param pool which pool
    /// @param session the connection it came on
    /// @param wish what it said
    /// @param recalled members it knew before the hub was started anew
    /// @param now nanoseconds
    record Attach(String pool, long session, Request.Attach wish, List<Member> recalled, long now)
            implements Command {}

    /// A member said that it leaves.
    ///
    /// @param pool which pool
    /// @param id who
    record Leave(String pool, NodeId id) implements Command {}

    /// A member is dead, and there is proof.
    ///
    /// @param pool which pool
    /// @param id who
    /// @param session on which it was seen, or was seen last
    /// @param proof what proves it
    record Proved(String pool, NodeId id, long session, String proof) implements Command {}

    /// Contact to a member was lost, without proof of death.
    ///
    /// @param pool which pool
    /// @param id who
    /// @param session the connection that was lost or is silent
    /// @param why how
    /// @param now nanoseconds
    record Lost(String pool, NodeId id, long session, String why, long now) implements Command {}

    /// A silent member was heard of again on the connection that was silent.
    ///
    /// @param pool which pool
    /// @param id who
    /// @param session the connection
    record Heard(String pool, NodeId id, long session) implements Command {}

    /// Time went by: those suspected for too long are dead.
    ///
    /// @param now nanoseconds
    record Expire(long now) implements Command {}
}
