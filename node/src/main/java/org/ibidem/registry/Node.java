package org.ibidem.registry;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.ibidem.accept.HubLine;
import org.ibidem.accept.HubPlace;
import org.ibidem.arbitration.AtExit;
import org.ibidem.arbitration.Threads;
import org.ibidem.arbitration.WaitPolicy;
import org.ibidem.config.Limit;
import org.ibidem.control.Ending;
import org.ibidem.dial.PeerReports;
import org.ibidem.handshake.Hello;
import org.ibidem.handshake.Proved;
import org.ibidem.identity.Identity;
import org.ibidem.peer.Acquaintance;
import org.ibidem.registry.access.Runtimes;
import org.ibidem.registry.coordination.Elections;
import org.ibidem.registry.coordination.Sequences;
import org.ibidem.registry.coordination.Signals;
import org.ibidem.registry.coordination.Tokens;
import org.ibidem.registry.uplink.Checkup;
import org.ibidem.registry.uplink.Uplink;
import org.ibidem.registry.uplink.UplinkContext;
import org.ibidem.registry.uplink.View;
import org.ibidem.registry.wire.Operation;
import org.ibidem.registry.wire.Protocol;
import org.ibidem.station.HubConnection;
import org.ibidem.station.NodeRuntime;
import org.ibidem.topology.Contact;
import org.ibidem.topology.Egress;
import org.ibidem.topology.Location;
import org.ibidem.topology.NodeId;
import org.ibidem.topology.Surroundings;
import org.jspecify.annotations.Nullable;

/// One process's membership in one pool. Several may live in one JVM, of one pool or of several.
///
/// ```java
/// try (var node = Node.join(Join.pool("demo").hub("localhost:8888"))) {
///     var master = node.elections().elect("master").winner();
/// }
/// ```
///
/// When its hub is lost a node goes on: its view stands still, its connections live, and it
/// attaches again with its key as soon as the hub is back.
public final class Node implements AutoCloseable {
    static {
        Runtimes.ofNodes(node -> node.runtime);
    }

    private static final long ASK_AGAIN_NANOS = 50_000_000;

    private final String pool;
    private final Location location;
    private final Threads tasks;
    private final NodeRuntime runtime;
    private final UplinkContext context;
    private final Uplink uplink;
    private final @Nullable HubConnection connection; // on one host nobody needs help
    private final LongConsumer atExit;
    private final AtomicBoolean closed = new AtomicBoolean();

    private Node(Join join, boolean visits, Identity identity, Threads tasks) {
        this.pool = join.pool();
        this.tasks = tasks;
        this.runtime = new NodeRuntime(identity, pool, join.open(), this::whereabouts, tasks);
        this.location = runtime.place(join.place());
        this.atExit = runtime::drain;
        this.connection = join.open() ? new HubConnection(pool, runtime) : null;
        this.context = context(join, visits, connection == null ? this::dial : connection);
        this.uplink = new Uplink(context);
        runtime.peers().whenLost(this::lost);
        runtime.locatedBy(this::locationOf);
        runtime.hears(
                new PeerReports() {
                    @Override
                    public Optional<Surroundings> lately(NodeId peer) {
                        return uplink.knownSurroundings(peer);
                    }

                    @Override
                    public void ask(NodeId peer) {
                        uplink.wishForSurroundings(peer);
                    }
                });
        uplink.events(PoolEvent.Died.class::isInstance, this::heard);
    }

    /// Joins a pool through the first hub that answers, and returns when this node knows who is in
    /// it.
    ///
    /// @throws HubUnreachable when none does; says what was tried and why each failed
    /// @throws JoinRefused when the hub does not take it in: the pool is full or closed, the rank
    ///   or the key another's, the size another one, the version of the protocol another one
    /// @throws Departed when this key was a member before, and died
    public static Node join(Join join) {
        return enter(join, false);
    }

    /// One that is no member, for a [Visitor].
    static Node visiting(Join join) {
        return enter(join, true);
    }

    private static Node enter(Join join, boolean visits) {
        if (join.hubs().isEmpty()) {
            throw new IllegalArgumentException(
                    "name a hub to join pool '" + join.pool() + "' through: Join.hub(address)");
        }
        var identity = join.who();
        var tasks = new Threads("node " + identity.id().brief());
        try {
            return new Node(join, visits, identity, tasks).joined();
        } catch (RuntimeException e) {
            tasks.close();
            throw e;
        }
    }

    // Who it is

    /// Who this node is.
    public NodeId id() {
        return runtime.id();
    }

    /// The pool's name.
    public String pool() {
        return pool;
    }

    /// This node's number in the pool.
    public int rank() {
        return uplink.welcome().rank();
    }

    /// How many members the pool is for, or [Join#ANY_SIZE].
    public int size() {
        return uplink.welcome().size();
    }

    /// Where this node is.
    public Location location() {
        return location;
    }

    /// The address this node's connection to the hub comes from, as the hub sees it: `host:port`.
    public String observedAddress() {
        return uplink.welcome().observed();
    }

    /// How this node's connections get out, as the hub sees them; waits until it was asked.
    ///
    /// @return not known when this node is not open to others, or nobody says within `limit`
    public Egress egress(Duration limit) throws InterruptedException {
        return connection == null ? Egress.UNKNOWN : connection.egress(limit);
    }

    /// What gets out of this node's network and what gets in, found with its hub: it is connected
    /// to at each of its addresses, and probes this node's port. Takes some seconds.
    public Outlook outlook() throws InterruptedException {
        var out = Checkup.out(uplink.hubAddress(), tasks);
        egress(Limit.HUB.get()); // so that it was asked
        var here = surroundings();
        var found =
                new Outlook(here.egress(), out, new Checkup(context, runtime.listener()).in(out));
        return found.isWithin() && here.declared().isEmpty()
                ? new Outlook(Egress.UNKNOWN, out, found.in())
                : found;
    }

    /// What becomes of plain connections to these hubs, whether one can be joined or not.
    ///
    /// @param hubs each as `host:port`
    public static List<Outlook.Out> outlook(List<String> hubs) {
        try (var tasks = new Threads("outlook")) {
            return hubs.stream().flatMap(hub -> Checkup.out(hub, tasks).stream()).toList();
        }
    }

    // Who else is there

    /// What this node follows of who is in its pool.
    public Membership membership() {
        return context.wish().membership();
    }

    /// The members now, this node among them, by rank.
    ///
    /// @throws IllegalStateException when this node joined with [Membership#NONE]
    public List<Member> members() {
        return uplink.lookAtMembers(View::members);
    }

    /// The member with this rank, if there is one now.
    ///
    /// @throws IllegalStateException when this node joined with [Membership#NONE]
    public Optional<Member> member(int rank) {
        return uplink.lookAtMembers(view -> Optional.ofNullable(view.member(rank)));
    }

    /// The member with this id, if there is one now.
    ///
    /// @throws IllegalStateException when this node joined with [Membership#NONE]
    public Optional<Member> member(NodeId id) {
        return uplink.lookAtMembers(view -> Optional.ofNullable(view.member(id)));
    }

    /// Waits until the pool has `count` members, and gives them by rank. Once the pool is complete
    /// or closed, the members that it had at that moment count, also if they have left since: a
    /// slow member finds what a quick one found. Connecting to one that has left fails, as it is
    /// not a member now.
    ///
    /// @throws TooFewMembers when it has not within `limit`, or cannot have them any more: it is
    ///   made for fewer, or was closed with fewer
    /// @throws Departed when this node is no member any more
    /// @throws IllegalStateException when this node joined with [Membership#NONE]
    public List<Member> awaitMembers(int count, Duration limit) {
        return new Gathering(pool, uplink).await(count, limit);
    }

    /// Has `consumer` called with what is now: a [PoolEvent.Joined] for each present member, this
    /// node among them, the results of elections, whether the pool is closed or terminated, and
    /// whether the hub is lost; then with every event that follows. In order, from one task. One
    /// that takes long delays nobody but itself.
    public Subscription events(Consumer<PoolEvent> consumer) {
        return uplink.events(_ -> true, consumer);
    }

    /// The same, paused from the beginning: nothing is given before [Subscription#resume].
    public Subscription pausedEvents(Consumer<PoolEvent> consumer) {
        return uplink.pausedEvents(_ -> true, consumer);
    }

    /// The same events, to be polled.
    public Events events() {
        return uplink.events();
    }

    // What the pool is

    /// Whether it has an authority: every member has shown a certificate.
    public boolean isGoverned() {
        return runtime.handshake().identity().trust().governs(pool);
    }

    /// Whether nobody may join the pool any more: it has all the members it was made for, or was
    /// closed or terminated.
    public boolean isClosed() {
        return uplink.look(view -> !view.closed().isEmpty());
    }

    /// Waits until nobody may join the pool any more. A pool made for a number of members is closed
    /// when it has them.
    ///
    /// @return false when it is not within `limit`
    /// @throws Departed when this node is no member any more
    public boolean awaitClosed(Duration limit) {
        return uplink.await(view -> !view.closed().isEmpty(), limit);
    }

    /// Closes the pool: nobody may join it any more.
    ///
    /// @param why for those who try
    /// @throws HubUnreachable when the hub does not answer within 10 s
    public void closePool(String why) {
        uplink.operate(new Operation.Close(Protocol.clip(why)), Limit.HUB.get());
    }

    /// Asks all members to end, and closes the pool. What ending means is theirs to say: each hears
    /// a [PoolEvent.Terminated].
    ///
    /// @throws HubUnreachable when the hub does not answer within 10 s
    public void terminate() {
        uplink.operate(new Operation.Terminate(), Limit.HUB.get());
    }

    /// Who terminated the pool, if anybody did.
    public Optional<Member> terminated() {
        return uplink.look(View::terminated);
    }

    /// Waits until the pool is terminated.
    ///
    /// @return who did it; none when nobody has within `limit`
    /// @throws Departed when this node is no member any more
    public Optional<Member> awaitTerminated(Duration limit) {
        uplink.await(view -> view.terminated().isPresent(), limit);
        return terminated();
    }

    // What members agree on

    /// The pool's elections.
    public Elections elections() {
        return new Elections(uplink);
    }

    /// The pool's sequences of numbers.
    public Sequences sequences() {
        return new Sequences(uplink);
    }

    /// The pool's tokens.
    public Tokens tokens() {
        return new Tokens(uplink);
    }

    /// Signals to members.
    public Signals signals() {
        return new Signals(uplink);
    }

    // What is known of others

    /// What is needed to reach a member; asked of the hub, for at most 10 seconds, then remembered.
    ///
    /// @return none when it is no member, or when the hub does not know either
    /// @throws HubUnreachable when the hub did not answer in time
    /// @throws Departed when this node is no member any more
    public Optional<Contact> contact(NodeId id) {
        return contact(id, Limit.HUB.get());
    }

    /// As [#contact(NodeId)], with another time limit.
    public Optional<Contact> contact(NodeId id, Duration limit) {
        return uplink.contact(id, limit);
    }

    /// What this node knows of the network it is in.
    public Surroundings surroundings() {
        return runtime.surroundings(location, observedAddress());
    }

    /// What a member says of the network it is in. The hub asks it, or knows; the answer is kept
    /// for a minute. Waits for at most 10 seconds.
    ///
    /// @return none when it is no member, or does not answer the hub
    /// @throws HubUnreachable when the hub did not answer in time
    /// @throws Departed when this node is no member any more
    public Optional<Surroundings> surroundings(NodeId id) {
        return uplink.surroundings(id, Limit.HUB.get());
    }

    /// What this node has found out about a peer by dealing with it: its round trip, and by which
    /// methods it was connected to, and when.
    public Acquaintance acquaintance(NodeId peer) {
        return runtime.acquaintance(peer);
    }

    /// The same for all peers it has dealt with lately.
    public List<Acquaintance> acquaintances() {
        return runtime.acquaintances();
    }

    /// Tells the hub that a member may be dead. The hub looks for itself, at once; what it finds
    /// comes as an event.
    ///
    /// @param why what was seen, for people
    public void maybeDead(NodeId id, String why) {
        uplink.report(id, why);
    }

    /// Has the hub hold a member for dead, whatever it does. Final.
    ///
    /// @param why for people
    /// @throws HubUnreachable when the hub does not answer within 10 s
    public void assumeDead(NodeId id, String why) {
        uplink.operate(new Operation.AssumeDead(id, Protocol.clip(why)), Limit.HUB.get());
    }

    /// How this node's ports wait from now on, those that were given a way of their own excepted.
    public void waiting(WaitPolicy policy) {
        runtime.waiting().choose(policy);
    }

    /// Leaves the pool and ends everything the node started. Messages that are finished, and what
    /// was written to VLinks and circuits, arrive before that: this waits for peers that have not
    /// acknowledged them, for 10 seconds unless the setting `ibidem.linger` says otherwise, and
    /// logs what it gives up. A few seconds more it waits for the hub to hear of the end; if a hub
    /// that is away does not come back meanwhile, this node is held for dead when its time is over.
    /// An interrupt ends the first wait and is kept for later. Does nothing the second time.
    ///
    /// A node that is not closed when the program ends delivers what is finished all the same, and
    /// then counts as dead; not after `halt` or SIGKILL.
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            try {
                runtime.close();
                uplink.leave();
            } finally {
                AtExit.remove(atExit);
                if (connection != null) {
                    connection.close();
                }
                tasks.close();
            }
        }
    }

    @Override
    public String toString() {
        return "node " + id().brief() + " of pool " + pool;
    }

    private UplinkContext context(Join join, boolean visits, HubLine line) {
        return new UplinkContext(
                pool,
                join.hubs(),
                new UplinkContext.Wish(
                        location,
                        join.tag(),
                        join.size(),
                        join.rank(),
                        visits ? Membership.EVENTUAL : join.membership(),
                        join.limit(),
                        visits),
                runtime.contact(),
                this::surroundings,
                line,
                runtime.handshake(),
                runtime::cut,
                tasks,
                join.rhythm());
    }

    /// On one host nothing is carried: a connection for what is said is enough.
    private Proved dial(HubPlace hub, Duration limit) {
        return hub.dial(runtime.handshake(), Hello.bootstrap(pool, null), tasks, limit);
    }

    private Node joined() {
        try {
            uplink.join();
            runtime.begin();
            AtExit.add(atExit);
            if (connection != null) {
                connection.start();
            }
            return this;
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private Contact whereabouts(NodeId peer, Duration limit) {
        long end = tasks.deadline(limit);
        var found = contact(peer, limit);
        // A hub that was started again hears of its members one by one: one we know will be back.
        while (found.isEmpty() && awaited(peer) && tasks.nanoTime() - end < 0) {
            LockSupport.parkNanos(ASK_AGAIN_NANOS);
            found = contact(peer, Duration.ofNanos(Math.max(1, end - tasks.nanoTime())));
        }
        return found.orElseThrow(() ->
                new NotAMember(
                        "node %s is no member of pool '%s' now, or has not been heard of yet"
                                .formatted(peer.brief(), pool)));
    }

    private @Nullable Location locationOf(NodeId peer) {
        if (peer.equals(id())) {
            return location;
        }
        return uplink.look(view -> Optional.ofNullable(view.member(peer)))
                .map(Member::location)
                .orElse(null);
    }

    private boolean awaited(NodeId peer) {
        return uplink.look(view -> view.member(peer) != null);
    }

    /// Whoever waits for one that died silently would wait for ever: its connections never say so.
    private void heard(PoolEvent event) {
        if (event instanceof PoolEvent.Died(var member, var why) && !member.id().equals(id())) {
            runtime.gone(member.id(), "node " + member.id().brief() + " is dead: " + why);
        }
    }

    private void lost(NodeId peer, Ending ending) {
        if (ending instanceof Ending.EndOfStream || ending instanceof Ending.Reset) {
            maybeDead(peer, "the connection to it ended: " + ending);
        }
    }
}
