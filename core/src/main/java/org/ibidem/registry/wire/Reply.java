package org.ibidem.registry.wire;

import java.util.List;
import java.util.Optional;
import org.ibidem.registry.Member;
import org.ibidem.registry.PoolEvent;
import org.ibidem.topology.Contact;

/// What a hub says to a node.
public sealed interface Reply {
    /// The node is a member and connected. A [Snapshot] or [Events] follow.
    ///
    /// @param version of the protocol that is spoken from now on
    /// @param epoch which run of the hub this is; never 0
    /// @param number of the pool's last change now; the node is up to date when it knows that one
    /// @param rank the member's number
    /// @param size of the pool, or 0
    /// @param observed the address the node's connection comes from, as `host:port`
    record Welcome(int version, long epoch, long number, int rank, int size, String observed)
            implements Reply {}

    /// The hub was started anew and knows nothing of the pool: say what you know
    /// ([Request.Recall]), then attach again.
    record Forgotten() implements Reply {}

    /// The node is no member. The hub closes the link.
    ///
    /// @param code why
    /// @param text why, for people
    record Refused(JoinRefusal code, String text) implements Reply {}

    /// Part of the pool as it is after change `number`; it replaces all that is known when the last
    /// part is there.
    ///
    /// @param number of the last change in it
    /// @param more whether another part follows
    /// @param closed why the pool is closed, or empty
    /// @param entries members, at most [Protocol#MEMBERS_AT_ONCE]
    record Snapshot(long number, boolean more, String closed, List<Entry> entries)
            implements Reply {
        /// Keeps its own copy.
        public Snapshot {
            entries = List.copyOf(entries);
        }
    }

    /// Changes of the pool, in order, without gap.
    ///
    /// @param first number of the first of them
    /// @param changes at least one, at most [Protocol#EVENTS_AT_ONCE]
    record Events(long first, List<PoolEvent.Change> changes) implements Reply {
        /// Keeps its own copy.
        public Events {
            changes = List.copyOf(changes);
        }
    }

    /// Answers [Request.Lookup].
    ///
    /// @param call from the question
    /// @param contact of the member, or none when it is no member
    record Found(int call, Optional<Contact> contact) implements Reply {}

    /// The leave was heard: the node is no member any more, and nobody will hold it for dead.
    record Bye() implements Reply {}

    /// A member in a snapshot.
    ///
    /// @param member who
    /// @param suspected whether the hub has no contact with it now
    record Entry(Member member, boolean suspected) {}
}
