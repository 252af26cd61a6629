package org.ibidem.registry;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.ibidem.service.Station;
import org.ibidem.topology.Contact;
import org.ibidem.topology.Location;
import org.ibidem.topology.NodeId;

/// One process's membership in one pool. Several may live in one JVM, of one pool or of several.
public interface Node extends AutoCloseable {
    /// Joins a pool. What comes with the hub's protocol, not merged yet.
    @SuppressWarnings("DoNotCallSuggester")
    static Node join(Join join) {
        throw new HubUnreachable("this build speaks to no hub yet: " + join.hubs());
    }

    /// Who this node is.
    NodeId id();

    /// The pool's name.
    String pool();

    /// This node's number in the pool.
    int rank();

    /// How many members the pool is for, or [Join#ANY_SIZE].
    int size();

    /// Where this node is.
    Location location();

    /// The members now, this node among them, by rank.
    List<Member> members();

    /// The member with this rank, if there is one now.
    Optional<Member> member(int rank);

    /// The member with this id, if there is one now.
    Optional<Member> member(NodeId id);

    /// Waits until the pool has `count` members, and gives them by rank.
    ///
    /// @throws TooFewMembers when it has not within `limit`
    List<Member> awaitMembers(int count, Duration limit);

    /// Has `consumer` called with a [PoolEvent.Joined] for each present member, this node among
    /// them, then with every event that follows; in order, from one task of this node.
    void events(Consumer<PoolEvent> consumer);

    /// What is needed to reach a member; asked of the hub, then remembered.
    ///
    /// @throws HubUnreachable when the hub did not answer in time
    Optional<Contact> contact(NodeId id);

    /// What the rooms above deal with peers through.
    Station station();

    /// Leaves the pool and closes everything the node opened. Does nothing the second time.
    @Override
    void close();
}
