package org.ibidem.hub.relay;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.ibidem.accept.OriginQuota;
import org.ibidem.handshake.Proved;
import org.ibidem.link.StreamPath;
import org.ibidem.task.Tasks;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// Carries routed streams between the members of each pool, and what each node and the hub itself
/// say to each other.
public final class Relay implements AutoCloseable {
    private static final Logger LOG = System.getLogger(Relay.class.getName());
    private static final int LOOPS = 2;

    /// Connections of an account that have not begun to speak with the hub.
    static final int MOST_STRANGERS = 1024;

    private final Limits limits;
    private final Tasks tasks;
    private final NodeId hub;
    private final Desk desk;
    private final Map<Where, Spoke> spokes = new ConcurrentHashMap<>();

    /// By account, so that those of one do not push out those of another.
    private final Map<String, OriginQuota<Spoke>> strangers = new ConcurrentHashMap<>();

    private final Map<String, Integer> trunks = new ConcurrentHashMap<>();

    /// Members for which there is no place, by pool, who came first first; guarded by the places.
    private final Map<String, LinkedHashMap<NodeId, Spoke>> waiting = new HashMap<>();

    private final Map<String, AtomicInteger> sizes = new ConcurrentHashMap<>();

    /// Pools that have an authority and nodes here; changed under the places.
    private volatile int governed;

    private final Map<String, Budget> budgets = new ConcurrentHashMap<>();
    private final List<Loop> loops = new ArrayList<>();

    /// Which thread gets the next connection, by the remainder.
    final AtomicInteger turn = new AtomicInteger();

    private final Object places = new Object();
    private boolean closed;

    private record Where(String pool, NodeId node) {}

    /// The hub itself, to which nodes speak over their trunks.
    @FunctionalInterface
    public interface Desk {
        /// Serves a node until one of the two ends the stream, or its trunk has ended.
        ///
        /// @param visitor as it proved itself when it made the trunk; its channel is the stream
        /// @param joined to be called when it has become a member: from then on it is carried what
        ///   it wants; before only this stream
        void serve(Proved visitor, Runnable joined);
    }

    /// A relay without nodes.
    ///
    /// @param hub who a stream is opened to that is for the hub itself
    /// @param desk serves those
    public Relay(Limits limits, Tasks tasks, NodeId hub, Desk desk) {
        this.limits = limits;
        this.tasks = tasks;
        this.hub = hub;
        this.desk = desk;
    }

    /// Carries for this node from now on: to the hub itself, and to others once it is a member.
    public void serve(Proved proved) {
        take(proved);
    }

    Spoke take(Proved proved) {
        var loop = loop();
        var spoke = attach(proved.hello().pool(), proved.peer(), Wire.of(proved.path()), loop);
        var pushed = strangers(spoke).enter(spoke, OriginQuota.origin(proved.path()));
        if (pushed != null) {
            pushed.hangUp();
        }
        spoke.visitors = stream -> visit(spoke, proved, stream);
        loop.take(spoke);
        return spoke;
    }

    private OriginQuota<Spoke> strangers(Spoke spoke) {
        return strangers.computeIfAbsent(
                limits.account(spoke.pool), _ -> new OriginQuota<>(MOST_STRANGERS));
    }

    Spoke attach(String pool, NodeId node, Wire wire, Loop loop) {
        var spoke = new Spoke(node, pool, wire, loop);
        spoke.budget = new Budget(limits.nodeRate());
        trunks.merge(limits.account(pool), 1, Integer::sum);
        return spoke;
    }

    /// The node of this connection is a member. One that comes again has lost its former
    /// connection. Where all places of its pool are taken it waits for the next that becomes free.
    void join(Spoke spoke) {
        Spoke before;
        synchronized (places) {
            var where = new Where(spoke.pool, spoke.node);
            if (spoke.gone) {
                return;
            }
            var queue = waiting.computeIfAbsent(spoke.pool, _ -> new LinkedHashMap<>());
            before = queue.remove(spoke.node);
            if (isFull(spoke.pool) && !spokes.containsKey(where)) {
                queue.put(spoke.node, spoke);
            } else {
                before = admit(spoke);
            }
            if (queue.isEmpty()) {
                waiting.remove(spoke.pool);
            }
        }
        if (before != null) {
            before.hangUp();
        }
    }

    /// It gets a place.
    ///
    /// @return its node's former connection, if there is one
    private @Nullable Spoke admit(Spoke spoke) {
        sizes.computeIfAbsent(spoke.pool, _ -> new AtomicInteger()).incrementAndGet();
        countGoverned();
        spoke.joined = true;
        return spokes.put(new Where(spoke.pool, spoke.node), spoke);
    }

    private void countGoverned() {
        governed = (int) limits.governed().stream().filter(sizes::containsKey).count();
    }

    private boolean isFull(String pool) {
        var size = sizes.get(pool);
        return size != null && size.get() >= limits.spokes();
    }

    /// Whom streams are opened to that are for the hub itself.
    NodeId hub() {
        return hub;
    }

    private void visit(Spoke spoke, Proved trunk, StreamPath stream) {
        if (!strangers(spoke).leave(spoke)) {
            return; // it was pushed out just before
        }
        var visitor = new Proved(stream, trunk.key(), trunk.hello(), trunk.version(), false);
        tasks.start(
                "session of " + spoke.node.brief(),
                () -> {
                    try {
                        desk.serve(visitor, () -> join(spoke));
                    } catch (RuntimeException | Error e) {
                        LOG.log(Level.ERROR, "serving node " + spoke.node + " failed", e);
                        spoke.hangUp();
                    }
                });
    }

    Tasks tasks() {
        return tasks;
    }

    /// Connections there are, also of those that are no members yet.
    public int trunks() {
        return trunks.values().stream().mapToInt(Integer::intValue).sum();
    }

    /// Those of the pool of this name that has an authority; empty: of all others together.
    public int trunks(String account) {
        return trunks.getOrDefault(account, 0);
    }

    /// What it carries for this node; null: nothing.
    @Nullable Spoke spoke(String pool, NodeId node) {
        return spokes.get(new Where(pool, node));
    }

    /// Nodes it carries for.
    public int size() {
        return spokes.size();
    }

    private synchronized Loop loop() {
        if (closed) {
            throw new IllegalStateException("the relay was closed");
        }
        int next = Math.floorMod(turn.getAndIncrement(), LOOPS);
        while (loops.size() <= next) {
            var loop = new Loop(this);
            loops.add(loop);
            Thread.ofPlatform().daemon().name("hub/relay " + loops.size()).start(loop);
        }
        return loops.get(next);
    }

    /// What it carries, and what it keeps for it.
    public Limits limits() {
        return limits;
    }

    long now() {
        return tasks.nanoTime();
    }

    /// What one of this node's streams may have waiting here.
    long credit(Spoke from) {
        var size = sizes.get(from.pool);
        return limits.credit(sharers(from.pool), size == null ? 1 : size.get(), from.flows.size());
    }

    /// How many the memory is shared by, if each had as much as this pool. However many others
    /// there are, they have together what one that has an authority has.
    private int sharers(String pool) {
        int own = governed;
        int others = sizes.size() - own;
        int accounts = own + (others > 0 ? 1 : 0);
        return limits.account(pool).isEmpty() ? accounts * others : accounts;
    }

    /// How much is to be read from a node at once.
    int read(Spoke from, int room) {
        var size = sizes.get(from.pool);
        return limits.read(size == null ? 1 : size.get(), room);
    }

    /// So much came from a node.
    ///
    /// @return nanoseconds for which no more is to be read from it
    long spent(Spoke from, int bytes) {
        if (!from.joined) {
            return from.budget.spend(bytes, now()); // a stranger names any pool
        }
        var ofPool = budgets.computeIfAbsent(from.pool, _ -> new Budget(limits.poolRate()));
        return Math.max(from.budget.spend(bytes, now()), ofPool.spend(bytes, now()));
    }

    /// Opens a stream.
    ///
    /// @return why not, or null when it is opened
    @Nullable String open(Spoke from, int number, NodeId peer, int credit) {
        if (!from.joined) {
            return "this hub carries for members of pool '"
                    + from.pool
                    + "' only, and for "
                    + limits.spokes()
                    + " of them at most";
        }
        var to = spoke(from.pool, peer);
        if (to == null) {
            return "node " + peer.brief() + " has no connection to this hub now";
        }
        if (from.flows.size() >= limits.streams() || to.flows.size() >= limits.streams()) {
            return "the hub carries " + limits.streams() + " streams for one of the nodes already";
        }
        var flow = to.open(from, number, credit, credit(to));
        return flow == null ? "node " + peer.brief() + " has just left this hub" : null;
    }

    void gone(Spoke spoke) {
        strangers(spoke).leave(spoke);
        synchronized (places) {
            spoke.gone = true;
            spokes.remove(new Where(spoke.pool, spoke.node), spoke);
            var size = sizes.get(spoke.pool);
            if (size != null && spoke.joined && size.decrementAndGet() <= 0) {
                sizes.remove(spoke.pool, size);
                countGoverned();
                budgets.remove(spoke.pool);
            }
            admitNext(spoke);
        }
        trunks.merge(limits.account(spoke.pool), -1, Integer::sum);
    }

    /// Somebody of a pool is gone, so that who waits for a place there may get it.
    private void admitNext(Spoke gone) {
        var queue = waiting.get(gone.pool);
        if (queue != null) {
            queue.remove(gone.node, gone);
            var next = isFull(gone.pool) ? null : queue.pollFirstEntry();
            if (next != null) {
                admit(next.getValue());
            }
            if (queue.isEmpty()) {
                waiting.remove(gone.pool);
            }
        }
    }

    /// Ends all connections.
    @Override
    public synchronized void close() {
        closed = true;
        loops.forEach(Loop::close);
    }
}
