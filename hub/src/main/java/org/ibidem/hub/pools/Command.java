package org.ibidem.hub.pools;

import java.util.List;
import org.ibidem.registry.Member;
import org.ibidem.registry.PoolEvent;
import org.ibidem.registry.wire.Operation;
import org.ibidem.registry.wire.Request;
import org.ibidem.topology.NodeId;

/// Everything that can happen to [Pools]. What the hub sees and when it saw it comes in here, and
/// only here, so that the same commands give the same pools on every machine and in every year.
///
/// A *session* is one connection of one member; its number is new for every connection. What ends
/// an old session says nothing about a member that is already back on a new one.
public sealed interface Command {
    /// A node whose key was proved wants to become a member, or to be connected again.
    ///
    /// @param pool which pool
    /// @param session the connection it came on
    /// @param wish what it said
    /// @param recalled what it knew before the hub was started anew
    /// @param now nanoseconds
    record Attach(String pool, long session, Request.Attach wish, Recalled recalled, long now)
            implements Command {}

    /// What a member knew of its pool before the hub was started anew.
    ///
    /// @param members all it knew
    /// @param elections the results it knew
    record Recalled(List<Member> members, List<PoolEvent.Elected> elections) {
        /// Nothing.
        public static final Recalled NONE = new Recalled(List.of(), List.of());

        /// Keeps its own copies.
        public Recalled {
            members = List.copyOf(members);
            elections = List.copyOf(elections);
        }
    }

    /// A member said that it leaves.
    ///
    /// @param pool which pool
    /// @param id who
    record Leave(String pool, NodeId id) implements Command {}

    /// A member wants something done.
    ///
    /// @param pool which pool
    /// @param id who
    /// @param call its number among the member's operations
    /// @param open those before it that the member has no answer to
    /// @param operation what
    record Operate(String pool, NodeId id, long call, List<Long> open, Operation operation)
            implements Command {
        /// Keeps its own copy.
        public Operate {
            open = List.copyOf(open);
        }
    }

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

    /// Time went by: those without contact for too long are dead.
    ///
    /// @param now nanoseconds
    record Expire(long now) implements Command {}

    /// The hub was started again from its state: no member has a connection, and all are waited
    /// for.
    ///
    /// @param now nanoseconds, of another clock than before
    record Restart(long now) implements Command {}
}
