package org.ibidem.registry;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.ibidem.registry.access.Runtimes;
import org.ibidem.topology.Contact;
import org.ibidem.topology.NodeId;
import org.ibidem.topology.Surroundings;

/// A look into a pool from outside, for tools: it sees the members, can be reached by them and
/// reaches them, but is none of them. It has no rank, no event tells of it, it counts neither for
/// the size of the pool nor for its end, and it gets no signals; what only members may do the hub
/// refuses. So it gets into pools that are full or closed, and disturbs none.
///
/// ```java
/// try (var visitor = Visitor.of(Join.pool("demo").hub("localhost:8888").open(true))) {
///     var roundTrip = Diagnosis.of(visitor).ping(visitor.members().getFirst().id(), LIMIT);
/// }
/// ```
///
/// When its hub is lost it comes back when the hub does. Where the pool is not there again by then
/// (a hub without state, whose members are slower), it has departed.
public final class Visitor implements AutoCloseable {
    static {
        Runtimes.ofVisitors(visitor -> visitor.node);
    }

    private final Node node;

    private Visitor(Node node) {
        this.node = node;
    }

    /// Visits a pool through the first hub that answers, and returns when it is known who is in it.
    ///
    /// @param join which pool, through which hubs, as whom; size, rank and membership mean nothing
    /// @throws HubUnreachable when no hub answers; says what was tried and why each failed
    /// @throws JoinRefused.NoSuchPool when there is no such pool, or it was terminated
    /// @throws JoinRefused.HubFull when the pool has as many visitors as the hub lets in
    /// @throws JoinRefused.IdInUse when a member has this key
    public static Visitor of(Join join) {
        return new Visitor(Node.visiting(join));
    }

    /// For what a hub says to whoever asks, whatever pools there are: visits nobody, as the only
    /// member of a pool of its own that takes nobody else.
    ///
    /// @param join through which hubs, as whom; pool, size and rank mean nothing
    /// @throws HubUnreachable when no hub answers; says what was tried and why each failed
    /// @throws JoinRefused.HubFull when the hub holds as many pools or members as it can
    public static Visitor ofNobody(Join join) {
        var own = join.inPool("visit of nobody " + UUID.randomUUID());
        return new Visitor(Node.join(own.size(1).rank(Join.ANY_RANK)));
    }

    /// Who it is.
    public NodeId id() {
        return node.id();
    }

    /// As a node, for what takes one: ports of its own, remote calls of members. It has no rank,
    /// and what only members may do the hub refuses.
    public Node node() {
        return node;
    }

    /// The pool's name.
    public String pool() {
        return node.pool();
    }

    /// The members now, by rank.
    public List<Member> members() {
        return node.members();
    }

    /// How many members the pool is for, or [Join#ANY_SIZE].
    public int size() {
        return node.size();
    }

    /// What is needed to reach a member or another visitor, as [Node#contact(NodeId, Duration)].
    public Optional<Contact> contact(NodeId id, Duration limit) {
        return node.contact(id, limit);
    }

    /// What is known here of the network this process is in.
    public Surroundings surroundings() {
        return node.surroundings();
    }

    /// What a member says of the network it is in, as [Node#surroundings(NodeId)].
    public Optional<Surroundings> surroundings(NodeId id) {
        return node.surroundings(id);
    }

    /// What gets out of the network here and what gets in, as [Node#outlook()].
    public Outlook outlook() throws InterruptedException {
        return node.outlook();
    }

    /// Goes, and ends everything it started; waits at most a few seconds for that.
    @Override
    public void close() {
        node.close();
    }

    @Override
    public String toString() {
        return "visitor " + id().brief() + " of pool " + pool();
    }
}
