package org.ibidem.hub.relay;

import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiPredicate;
import org.ibidem.link.Tasks;
import org.ibidem.service.Admission;
import org.ibidem.service.Hello;
import org.ibidem.service.NodeKey;
import org.ibidem.service.Proved;
import org.ibidem.service.Refusal;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// Carries routed streams between the members of each pool.
public final class Relay implements AutoCloseable {
    private static final int LOOPS = 2;

    private final Limits limits;
    private final Tasks tasks;
    private final BiPredicate<String, NodeId> members;
    private final Map<Where, Spoke> spokes = new ConcurrentHashMap<>();
    private final Map<String, AtomicInteger> sizes = new ConcurrentHashMap<>();
    private final Map<String, Budget> budgets = new ConcurrentHashMap<>();
    private final List<Loop> loops = new ArrayList<>();
    private final AtomicInteger turn = new AtomicInteger();
    private boolean closed;

    private record Where(String pool, NodeId node) {}

    /// A relay without nodes.
    ///
    /// @param members whether somebody is a member of a pool: others are carried nothing
    public Relay(Limits limits, Tasks tasks, BiPredicate<String, NodeId> members) {
        this.limits = limits;
        this.tasks = tasks;
        this.members = members;
    }

    /// Whether to take a node's connection.
    public Admission.Verdict judge(NodeKey claimed, Hello hello) {
        if (!members.test(hello.pool(), claimed.id())) {
            return new Admission.Refused(
                    Refusal.POOL,
                    "only members of pool '" + hello.pool() + "' are carried anything: join first");
        }
        var size = sizes.get(hello.pool());
        if (size != null && size.get() >= limits.spokes()) {
            return new Admission.Refused(
                    Refusal.FULL,
                    "this hub carries for " + limits.spokes() + " nodes of this pool already");
        }
        return new Admission.Welcome();
    }

    /// Whether a node is carried for still: it may have left its pool, or be dead.
    boolean carries(Spoke spoke) {
        return members.test(spoke.pool, spoke.node);
    }

    /// Carries for this node from now on. One that comes again has lost its former connection.
    public void serve(Proved proved) {
        var loop = loop();
        loop.take(attach(proved.hello().pool(), proved.peer(), proved.channel(), loop));
    }

    Spoke attach(String pool, NodeId node, SocketChannel channel, Loop loop) {
        var spoke = new Spoke(node, pool, channel, loop);
        spoke.budget = new Budget(limits.nodeRate());
        var before = spokes.put(new Where(spoke.pool, spoke.node), spoke);
        sizes.computeIfAbsent(spoke.pool, _ -> new AtomicInteger()).incrementAndGet();
        if (before != null) {
            before.hangUp();
        }
        return spoke;
    }

    /// Nodes it carries for.
    public int size() {
        return spokes.size();
    }

    private synchronized Loop loop() {
        if (closed) {
            throw new IllegalStateException("the relay was closed");
        }
        int next = turn.getAndIncrement() % LOOPS;
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
        return limits.credit(spokes.size(), from.flows.size());
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
        var ofPool = budgets.computeIfAbsent(from.pool, _ -> new Budget(limits.poolRate()));
        return Math.max(from.budget.spend(bytes, now()), ofPool.spend(bytes, now()));
    }

    /// Opens a stream.
    ///
    /// @return why not, or null when it is opened
    @Nullable String open(Spoke from, int number, NodeId peer, int credit) {
        var to = spokes.get(new Where(from.pool, peer));
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
        spokes.remove(new Where(spoke.pool, spoke.node), spoke);
        var size = sizes.get(spoke.pool);
        if (size != null && size.decrementAndGet() <= 0) {
            sizes.remove(spoke.pool, size);
            budgets.remove(spoke.pool);
        }
    }

    /// Ends all connections.
    @Override
    public synchronized void close() {
        closed = true;
        loops.forEach(Loop::close);
    }
}
