package org.ibidem.registry;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.ibidem.arbitration.Threads;
import org.ibidem.registry.Attachment.Means;
import org.ibidem.service.Ending;
import org.ibidem.service.Hubward;
import org.ibidem.service.Identity;
import org.ibidem.service.Station;
import org.ibidem.topology.Contact;
import org.ibidem.topology.Location;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// One process's membership in one pool. Several may live in one JVM, of one pool or of several.
///
/// ```java
/// try (var node = Node.join(Join.pool("demo").hub("localhost:8888"))) {
///     node.awaitMembers(2, Duration.ofSeconds(10));
/// }
/// ```
///
/// When its hub is lost a node goes on: its view stands still, its connections live, and it
/// attaches again with its key as soon as the hub is back.
public final class Node implements AutoCloseable {
    private static final Duration CONTACT_LIMIT = Duration.ofSeconds(10);
    private static final long ASK_AGAIN_NANOS = 50_000_000;
    private static final int MOST_ADDRESSES = 32;
    private static final int LONGEST_PLACE = 512 / 3;

    private final String pool;
    private final Location location;
    private final Threads tasks;
    private final Station station;
    private final Uplink uplink;
    private final @Nullable Hubward hubward; // on one host nobody needs help
    private final AtomicBoolean closed = new AtomicBoolean();

    private Node(Join join, Identity identity, Threads tasks) {
        this.pool = join.pool();
        this.location = location(join);
        this.tasks = tasks;
        this.station = new Station(identity, pool, join.open(), this::whereabouts, tasks);
        var means = new Means(station.handshake(), tasks, join.rhythm());
        this.uplink = new Uplink(join, location, publishable(station.contact()), means);
        station.peers().whenLost(this::lost);
        this.hubward = join.open() ? new Hubward(pool, station, uplink::hub) : null;
        uplink.events(this::heard);
    }

    /// Joins a pool through the first hub that answers, and returns when this node knows who is in
    /// it.
    ///
    /// @throws HubUnreachable when none does; says what was tried and why each failed
    /// @throws PoolFull when the pool has all its members
    /// @throws PoolClosed when it had all, and lost one
    /// @throws RankTaken when the rank wished for is another's, or none of this pool's
    /// @throws SizeDiffers when the pool was made for another number of members
    /// @throws IdInUse when a member has the same key
    /// @throws Departed when this key was a member before, and died
    public static Node join(Join join) {
        if (join.hubs().isEmpty()) {
            throw new IllegalArgumentException(
                    "name a hub to join pool '" + join.pool() + "' through: Join.hub(address)");
        }
        var chosen = join.identity();
        var identity = chosen == null ? Identity.create() : chosen;
        var tasks = new Threads("node " + identity.id().brief());
        try {
            return new Node(join, identity, tasks).joined();
        } catch (RuntimeException e) {
            tasks.close();
            throw e;
        }
    }

    /// Who this node is.
    public NodeId id() {
        return station.id();
    }

    /// The pool's name.
    public String pool() {
        return pool;
    }

    /// This node's number in the pool.
    public int rank() {
        return uplink.rank();
    }

    /// How many members the pool is for, or [Join#ANY_SIZE].
    public int size() {
        return uplink.size();
    }

    /// Where this node is.
    public Location location() {
        return location;
    }

    /// The address this node's connection to the hub comes from, as the hub sees it: `host:port`.
    public String observedAddress() {
        return uplink.observed();
    }

    /// The members now, this node among them, by rank.
    public List<Member> members() {
        return uplink.look(View::members);
    }

    /// The member with this rank, if there is one now.
    public Optional<Member> member(int rank) {
        return uplink.look(view -> Optional.ofNullable(view.member(rank)));
    }

    /// The member with this id, if there is one now.
    public Optional<Member> member(NodeId id) {
        return uplink.look(view -> Optional.ofNullable(view.member(id)));
    }

    /// Waits until the pool has `count` members, and gives them by rank.
    ///
    /// @throws TooFewMembers when it has not within `limit`
    /// @throws Departed when this node is no member any more
    public List<Member> awaitMembers(int count, Duration limit) {
        return uplink.awaitMembers(count, limit);
    }

    /// Has `consumer` called with a [PoolEvent.Joined] for each present member, this node among
    /// them (and a [PoolEvent.HubLost] when the hub is lost now), then with every event that
    /// follows; in order, from one task of this node. One that takes long delays the others, and in
    /// the end the node's view.
    public void events(Consumer<PoolEvent> consumer) {
        uplink.events(consumer);
    }

    /// What is needed to reach a member; asked of the hub, for at most 10 seconds, then remembered.
    ///
    /// @return none when it is no member, or when the hub does not know either
    /// @throws HubUnreachable when the hub did not answer in time
    /// @throws Departed when this node is no member any more
    public Optional<Contact> contact(NodeId id) {
        return contact(id, CONTACT_LIMIT);
    }

    /// As [#contact(NodeId)], with another time limit.
    public Optional<Contact> contact(NodeId id, Duration limit) {
        return uplink.contact(id, limit);
    }

    /// Tells the hub that a member seems to be gone. The hub looks for itself; what it finds comes
    /// as an event.
    ///
    /// @param why what was seen, for people
    public void report(NodeId id, String why) {
        uplink.report(id, why);
    }

    /// What the rooms above deal with peers through.
    public Station station() {
        return station;
    }

    /// Leaves the pool and ends everything the node started. Waits at most a few seconds for the
    /// hub to hear of it, so it may be called from a shutdown hook. Does nothing the second time.
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            station.close();
            if (hubward != null) {
                hubward.close();
            }
            uplink.leave();
            tasks.close();
        }
    }

    @Override
    public String toString() {
        return "node " + id().brief() + " of pool " + pool;
    }

    private Node joined() {
        try {
            uplink.join();
            if (hubward != null) {
                hubward.start();
            }
            return this;
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private Contact whereabouts(NodeId peer) {
        long end = tasks.nanoTime() + CONTACT_LIMIT.toNanos();
        var found = contact(peer);
        // A hub that was started again hears of its members one by one: one we know will be back.
        while (found.isEmpty() && member(peer).isPresent() && tasks.nanoTime() - end < 0) {
            LockSupport.parkNanos(ASK_AGAIN_NANOS);
            found = contact(peer);
        }
        return found.orElseThrow(() ->
                new NotAMember(
                        "node "
                                + peer.brief()
                                + " is no member of pool '"
                                + pool
                                + "' now, or has not been heard of yet"));
    }

    /// Whoever waits for one that died silently would wait for ever: its connections never say so.
    private void heard(PoolEvent event) {
        if (event instanceof PoolEvent.Died(var member, var why) && !member.id().equals(id())) {
            station.gone(member.id(), "node " + member.id().brief() + " is dead: " + why);
        }
    }

    private void lost(NodeId peer, Ending ending) {
        if (ending instanceof Ending.EndOfStream || ending instanceof Ending.Reset) {
            uplink.report(peer, "the connection to it ended: " + ending);
        }
    }

    /// As much of a contact as the hub takes.
    private static Contact publishable(Contact contact) {
        var addresses = contact.addresses().stream().limit(MOST_ADDRESSES).toList();
        var places = new HashMap<>(contact.places());
        places.values().removeIf(place -> place.length() > LONGEST_PLACE);
        return new Contact(contact.id(), addresses, places);
    }

    private static Location location(Join join) {
        var said = join.location();
        if (said != null) {
            return said;
        }
        try {
            return new Location(List.of(InetAddress.getLocalHost().getHostName()));
        } catch (UnknownHostException | IllegalArgumentException _) {
            return new Location(List.of("localhost"));
        }
    }
}
