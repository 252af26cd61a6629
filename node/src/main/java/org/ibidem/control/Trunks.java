package org.ibidem.control;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.ibidem.IbidemException;
import org.ibidem.accept.Listener;
import org.ibidem.connect.routed.Trunk;
import org.ibidem.connect.routed.TrunkEnds;
import org.ibidem.handshake.Admission;
import org.ibidem.handshake.Hello;
import org.ibidem.handshake.Proved;
import org.ibidem.handshake.Refusal;
import org.ibidem.identity.NodeKey;
import org.ibidem.link.StreamPath;
import org.ibidem.peer.Course;
import org.ibidem.task.Tasks;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// The connections that links share: one to each peer, a [Trunk], made by need, closed when idle.
///
/// Either end opens streams on it, whoever made it. Two nodes that make one at the same moment have
/// two for a while: new streams go over that of the smaller id, the other ends when it is idle. A
/// stream begins with a handshake, as any connection, and is let in by the same listener.
///
/// One over which nothing is heard while a stream is opened may be dead, or its peer stopped.
/// Another is made then; where that comes about it is used from then on, and the silent one keeps
/// its streams until it ends by itself.
final class Trunks implements AutoCloseable {
    /// Such connections at a time; beyond that peers may make none.
    private static final int MOST = 8192;

    private static final System.Logger LOG = System.getLogger(Trunks.class.getName());
    private static final Duration IDLE = Duration.ofSeconds(10);
    private static final Duration LAST_WORDS = Duration.ofSeconds(1);
    private static final int TRIES = 3;

    /// For so long one that says nothing at all is waited for before another is made.
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final NodeId me;
    private final Listener listener;
    private final Dialer dialer;
    private final Tasks tasks;
    private final Duration idle;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<NodeId, Both> peers = new HashMap<>();

    /// Made here, and not used yet: the idle time begins when that is over.
    private final Set<Trunk> unused = new HashSet<>();

    /// By which methods those were made that this end has made.
    private final Map<Trunk, String> methods = new ConcurrentHashMap<>();

    /// For how long a peer was not heard over other connections.
    private volatile Function<NodeId, Duration> elsewhere = _ -> ChronoUnit.FOREVER.getDuration();

    private boolean closed;

    /// Makes proved connections for links to share.
    @FunctionalInterface
    interface Dialer {
        Proved dial(NodeId peer, Duration limit);
    }

    /// What there is with one peer: what this end has made, what the other has, which of these, or
    /// of those before, is silent, and whether this end is about to make one.
    private static final class Both {
        @Nullable Trunk mine;
        @Nullable Trunk theirs;
        @Nullable Trunk silent;
        boolean dialling;

        List<Trunk> all() {
            return Stream.of(mine, theirs, silent).flatMap(Stream::ofNullable).distinct().toList();
        }

        void forget(Trunk ended) {
            mine = ended.equals(mine) ? null : mine;
            theirs = ended.equals(theirs) ? null : theirs;
            silent = ended.equals(silent) ? null : silent;
        }

        /// No other has come about.
        void trustAgain() {
            if (silent != null && (silent.equals(mine) || silent.equals(theirs))) {
                silent = null;
            }
        }

        private @Nullable Trunk usable(@Nullable Trunk trunk) {
            return trunk != null && trunk.ending() == null && !trunk.equals(silent) ? trunk : null;
        }
    }

    Trunks(Listener listener, Dialer dialer, Tasks tasks) {
        this(listener, dialer, tasks, IDLE);
    }

    /// @param idle how often it looks for those that nobody uses
    Trunks(Listener listener, Dialer dialer, Tasks tasks, Duration idle) {
        this.idle = idle;
        this.me = listener.handshake().identity().id();
        this.listener = listener;
        this.dialer = dialer;
        this.tasks = tasks;
    }

    /// Who knows for how long a peer was not heard over other connections.
    void elsewhere(Function<NodeId, Duration> quiet) {
        elsewhere = quiet;
    }

    /// Those there are now.
    int size() {
        return locked(() -> all().size());
    }

    /// A proved stream to a peer, over the connection that is there or a new one.
    ///
    /// @throws IOException when the connection does not carry it
    /// @throws IbidemException when the peer is not reached, or says no
    Proved dial(NodeId peer, Hello hello, Duration limit) throws IOException {
        long end = tasks.nanoTime() + limit.toNanos();
        try {
            for (int left = TRIES - 1; ; left--) {
                var trunk = trunk(peer, end);
                try {
                    return listener.handshake()
                            .initiate(open(trunk, peer, end), hello)
                            .by(methods.getOrDefault(trunk, Course.ACCEPTED));
                } catch (IOException | IbidemException e) {
                    // It may just have ended, for it was idle: then another one will do.
                    boolean another = trunk.ending() != null || isSilent(peer, trunk);
                    if (!another || left == 0) {
                        throw e;
                    }
                } finally {
                    if (locked(() -> unused.remove(trunk))) {
                        watch(trunk, -1);
                    }
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while a shared connection was made");
        }
    }

    private StreamPath open(Trunk trunk, NodeId peer, long end)
            throws IOException, InterruptedException {
        var limit = until(end);
        if (limit.compareTo(PATIENCE) <= 0) {
            return trunk.open(peer, limit);
        }
        long begin = tasks.nanoTime();
        try {
            return trunk.open(peer, PATIENCE);
        } catch (IOException e) {
            if (trunk.ending() != null || tasks.nanoTime() - begin < PATIENCE.toNanos()) {
                throw e; // it says why
            }
            if (trunk.quiet().compareTo(PATIENCE) >= 0) {
                silent(peer, trunk);
                throw e;
            }
            return trunk.open(peer, until(end)); // it lives, and has much to carry
        }
    }

    private void silent(NodeId peer, Trunk trunk) {
        locked(() -> {
            var both = peers.get(peer);
            if (both != null && both.usable(trunk) != null && both.all().contains(trunk)) {
                var before = both.silent; // for longer
                both.silent = trunk;
                Stream.ofNullable(before).forEach(Trunk::close);
            }
            return true;
        });
    }

    private boolean isSilent(NodeId peer, Trunk trunk) {
        return locked(() -> {
            var both = peers.get(peer);
            return both != null && trunk.equals(both.silent);
        });
    }

    private Duration until(long end) {
        return Duration.ofNanos(Math.max(1, end - tasks.nanoTime()));
    }

    /// The one to use, made if there is none; one at a time is made.
    private Trunk trunk(NodeId peer, long end) throws IOException, InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!closed) {
                var both = peers.computeIfAbsent(peer, _ -> new Both());
                var there = usual(peer, both);
                if (there != null) {
                    return there;
                }
                if (!both.dialling) {
                    both.dialling = true;
                    break;
                }
                if (changed.awaitNanos(end - tasks.nanoTime()) <= 0) {
                    throw new IOException("no shared connection was made in time");
                }
            }
            if (closed) {
                throw new IOException("this node was closed");
            }
        } finally {
            lock.unlock();
        }
        return make(peer, end);
    }

    private @Nullable Trunk usual(NodeId peer, Both both) {
        var mine = both.usable(both.mine);
        var theirs = both.usable(both.theirs);
        boolean first = me.compareTo(peer) < 0;
        return mine == null || (theirs != null && !first) ? theirs : mine;
    }

    private Trunk make(NodeId peer, long end) {
        Trunk made = null;
        try {
            var proved = dialer.dial(peer, until(end));
            made = over(proved);
            methods.put(made, proved.method());
        } finally {
            made(peer, made);
        }
        var trunk = made;
        tasks.attend("shared connection to " + peer.brief(), () -> run(peer, trunk));
        return trunk;
    }

    private void made(NodeId peer, @Nullable Trunk trunk) {
        locked(() -> {
            var both = peers.computeIfAbsent(peer, _ -> new Both());
            both.dialling = false;
            if (trunk == null) {
                both.trustAgain();
            } else {
                both.mine = trunk;
                unused.add(trunk);
            }
            if (closed && trunk != null) {
                trunk.close();
            }
            sweep(peer);
            changed.signalAll();
            return true;
        });
    }

    private Trunk over(Proved proved) {
        var peer = proved.peer();
        var ends = new TrunkEnds(me, peer, proved.initiator(), () -> elsewhere.apply(peer));
        return new Trunk(proved.stream(), ends, tasks, listener::visit);
    }

    /// Whether a peer may make one.
    ///
    /// @param welcome whether a link with it is about to be made
    Admission.Verdict judge(NodeKey claimed, Predicate<NodeId> welcome) {
        if (!welcome.test(claimed.id())) {
            return new Admission.Refused(
                    Refusal.TOKEN, "no data link that would need it was agreed on with you");
        }
        if (locked(() -> all().size()) >= MOST) {
            return new Admission.Refused(
                    Refusal.FULL, "this node shares " + MOST + " connections already");
        }
        return new Admission.Welcome();
    }

    /// A peer has made one; reads until it ends. The one that it made before is silent for it:
    /// dead, or this process stood still.
    void accept(Proved proved) {
        var peer = proved.peer();
        var trunk = over(proved);
        var before =
                locked(() -> {
                    var both = peers.computeIfAbsent(peer, _ -> new Both());
                    var over = both.theirs == null ? null : both.silent;
                    both.silent = both.theirs == null ? both.silent : both.theirs;
                    both.theirs = trunk;
                    changed.signalAll();
                    return closed ? List.of(trunk) : Stream.ofNullable(over).toList();
                });
        before.forEach(Trunk::close);
        run(peer, trunk);
    }

    private void run(NodeId peer, Trunk trunk) {
        try {
            trunk.run();
        } finally {
            methods.remove(trunk);
            locked(() -> {
                var both = peers.get(peer);
                if (both != null) {
                    both.forget(trunk);
                    sweep(peer);
                }
                return true;
            });
        }
        LOG.log(System.Logger.Level.DEBUG, "a shared connection ended: {0}", trunk.ending());
    }

    private void sweep(NodeId peer) {
        var both = peers.get(peer);
        if (both != null && !both.dialling && both.all().isEmpty()) {
            peers.remove(peer);
        }
    }

    /// Whoever made it ends it, when nothing has gone over it from one look to the next.
    private void watch(Trunk trunk, long carried) {
        tasks.after(
                idle,
                "close an idle shared connection",
                () -> {
                    long now = trunk.carried();
                    if (trunk.size() == 0 && now == carried) {
                        trunk.close();
                    } else if (trunk.ending() == null) {
                        watch(trunk, now);
                    }
                });
    }

    /// The peer is dead. Its links are told first.
    void gone(NodeId peer) {
        for (var trunk : with(peer)) {
            tasks.after(LAST_WORDS.multipliedBy(2), "end a dead node's connection", trunk::close);
        }
    }

    /// Waits until what this peer sent before it died has come: until the connection has ended, for
    /// a second at most.
    void awaitLastWords(NodeId peer) {
        long end = tasks.nanoTime() + LAST_WORDS.toNanos();
        try {
            for (var trunk : with(peer)) {
                trunk.awaitEnd(until(end));
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // then at once
        }
    }

    private List<Trunk> with(NodeId peer) {
        return locked(() -> {
            var both = peers.get(peer);
            return both == null ? List.of() : both.all();
        });
    }

    private List<Trunk> all() {
        return peers.values().stream().flatMap(both -> both.all().stream()).toList();
    }

    private <T> T locked(Supplier<T> body) {
        lock.lock();
        try {
            return body.get();
        } finally {
            lock.unlock();
        }
    }

    /// Ends all, once their last words are sent, for which they get a second altogether.
    @Override
    public void close() {
        var ending =
                locked(() -> {
                    closed = true;
                    changed.signalAll();
                    return all();
                });
        long end = tasks.nanoTime() + LAST_WORDS.toNanos();
        for (var trunk : ending) {
            try {
                trunk.finish(until(end));
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt(); // then at once
            }
        }
    }
}
