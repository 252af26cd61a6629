package org.ibidem.control;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.ibidem.accept.Listener;
import org.ibidem.handshake.Admission;
import org.ibidem.handshake.Hello;
import org.ibidem.handshake.Proved;
import org.ibidem.handshake.Refusal;
import org.ibidem.identity.NodeKey;
import org.ibidem.peer.Purpose;
import org.ibidem.task.Complaints;
import org.ibidem.task.Tasks;
import org.ibidem.topology.NodeId;

/// The service links of a node: one control channel to each peer it has dealings with, opened by
/// need, closed when idle.
///
/// Two nodes that open one at the same moment have two for a while; each uses its own, the answer
/// to a request comes back over the link it came by.
public final class Peers implements AutoCloseable {
    /// A request: open a channel.
    public static final int OPEN = 1;

    /// A request: this channel's receiver wants no more of it.
    public static final int CLOSE = 2;

    /// A request: what was opened under this key was given up before it was used.
    public static final int CANCEL = 3;

    /// A request: answer when your state has changed.
    public static final int AWAIT = 4;

    /// A note: the sender of a channel has ended it.
    public static final int DONE = 5;

    /// A request: connect to me, or with me, by this method.
    public static final int CONNECT = 6;

    /// A request: say at once that you are there.
    static final int ECHO = 7;

    /// A request: try every method towards a node, and say what came of each.
    public static final int EXPLAIN = 8;

    /// A request: this data link broke at my end.
    public static final int BROKEN = 9;

    /// A request: try every network driver towards a node, and say what came of each.
    public static final int TRY = 10;

    /// A request: say what goes from you to a node now.
    public static final int WAYS = 11;

    /// A request: the sender of a channel gave it up without an end.
    public static final int GIVEN_UP = 12;

    /// A note: this data link, which was idle, is closed at my end.
    public static final int RETIRED = 13;

    /// The answer that says nothing but that there is one.
    public static final byte[] NOTHING = {};

    private static final System.Logger LOG = System.getLogger(Peers.class.getName());
    private static final Duration IDLE = Duration.ofSeconds(60);

    /// Pings in order to know a round trip; the last only if it takes no longer than that.
    private static final int MOST_MEASURED = 3;

    private static final Duration LONG = Duration.ofMillis(30);

    /// Service links at a time, dialled or accepted.
    private static final int MOST_LINKS = 4096;

    /// Makes proved connections to peers, whatever it takes.
    @FunctionalInterface
    public interface Dialer {
        /// Connects to a peer and proves both ends.
        ///
        /// @throws org.ibidem.IbidemException when it cannot be reached; with every address tried
        Proved dial(NodeId peer, Hello hello, Duration limit);
    }

    /// Answers requests of one kind.
    @FunctionalInterface
    public interface Service {
        /// Answers one request, which may take its time.
        ///
        /// @return at most as much as one message carries; what it throws goes to the peer as a
        ///   failure, in words
        byte[] answer(NodeId peer, byte[] request);

        /// A note has come, and is [answered][#answer] beside what comes behind it: what that is to
        /// find is done here. Must not wait.
        default void heard(NodeId peer, byte[] note) {}
    }

    private final String pool;
    private final Listener listener;
    private final Dialer dialer;
    private final Tasks tasks;
    private final Complaints complaints;
    private final ControlLink.Limits limits;
    private final Map<Integer, Service> services = new ConcurrentHashMap<>();
    private final Map<NodeId, ServiceLink> links = new ConcurrentHashMap<>();
    private final Map<NodeId, ReentrantLock> dialing = new ConcurrentHashMap<>();
    private volatile Predicate<NodeId> needed = _ -> false;
    private volatile BiConsumer<NodeId, Ending> whenLost = (_, _) -> {};

    /// Peers whose link has ended without a word of theirs, and whether it was only silent.
    private final Map<NodeId, Boolean> cutOff = Recent.map(MOST_LINKS);

    private final Map<NodeId, Duration> roundTrips = Recent.map(MOST_LINKS);
    private final AtomicInteger running = new AtomicInteger();
    private final Trunks trunks;
    private volatile boolean closed;

    /// Service links for the members of one pool.
    ///
    /// @param listener peers come in through it
    /// @param dialer how to get to them
    public Peers(String pool, Listener listener, Dialer dialer, Tasks tasks) {
        this.pool = pool;
        this.listener = listener;
        this.dialer = dialer;
        this.tasks = tasks;
        this.complaints = new Complaints(LOG, tasks);
        this.limits = ControlLink.Limits.DEFAULT;
        listener.serve(Purpose.SERVICE, this::admit, proved -> run(adopt(proved)));
        listener.serve(Purpose.TRIAL, this::admit, Peers::end);
        serve(ECHO, (_, message) -> message);
        this.trunks =
                new Trunks(
                        listener,
                        (peer, limit) -> dialer.dial(peer, Hello.shared(pool, peer), limit),
                        tasks);
        trunks.elsewhere(this::quiet);
    }

    private Admission.Verdict admit(NodeKey claimed, Hello hello) {
        if (!hello.pool().equals(pool)) {
            return new Admission.Refused(
                    Refusal.POOL,
                    "this node is in pool '" + pool + "', not in '" + hello.pool() + "'");
        }
        if (hello.purpose() == Purpose.SERVICE && running.get() >= MOST_LINKS) {
            return new Admission.Refused(
                    Refusal.FULL, "this node has " + MOST_LINKS + " service links already");
        }
        return new Admission.Welcome();
    }

    /// Who answers requests of this kind.
    public void serve(int kind, Service service) {
        services.put(kind, service);
    }

    /// Who is told when a service link ended, and how.
    public void whenLost(BiConsumer<NodeId, Ending> told) {
        whenLost = told;
    }

    /// A link is kept while this says that the peer is needed, however idle it is.
    public void neededWhile(Predicate<NodeId> test) {
        needed = test;
    }

    /// Data connections of peers go through the same listener.
    public void serveData(Admission admission, Consumer<Proved> handler) {
        Admission ofPool =
                (claimed, hello) -> {
                    var verdict = admit(claimed, hello);
                    return verdict instanceof Admission.Welcome
                            ? admission.judge(claimed, hello)
                            : verdict;
                };
        listener.serve(Purpose.DATA, ofPool, handler);
        listener.serve(Purpose.DATAGRAMS, ofPool, handler);
    }

    /// Peers may connect for what links share.
    ///
    /// @param welcome whether there is a link to be made with this one
    public void serveShared(Predicate<NodeId> welcome) {
        listener.serve(
                Purpose.SHARED,
                (claimed, hello) -> {
                    var verdict = admit(claimed, hello);
                    return verdict instanceof Admission.Welcome
                            ? trunks.judge(claimed, welcome)
                            : verdict;
                },
                trunks::accept);
    }

    /// A stream for a data link, of the one connection that links with this peer share.
    ///
    /// @throws IOException when the connection does not carry it
    public Proved dialShared(NodeId peer, String stack, String key, Duration limit)
            throws IOException {
        return trunks.dial(peer, Hello.data(pool, peer, stack, key), limit);
    }

    /// Waits until nothing more can come over the connection that links with this peer share, who
    /// is gone.
    public void awaitLastWords(NodeId peer) {
        trunks.awaitLastWords(peer);
    }

    /// For how long a peer was not heard over its service link.
    private Duration quiet(NodeId peer) {
        var link = links.get(peer);
        return link != null && link.alive() ? link.quiet() : ChronoUnit.FOREVER.getDuration();
    }

    /// Connections that links share now, in either direction.
    public int shared() {
        return trunks.size();
    }

    /// A connection for a data link.
    public Proved dialData(NodeId peer, String stack, String key, Duration limit) {
        return dialer.dial(peer, Hello.data(pool, peer, stack, key), limit);
    }

    /// A path of datagrams for a data link.
    public Proved dialDatagrams(NodeId peer, String stack, String key, Duration limit) {
        return dialer.dial(peer, Hello.datagrams(pool, peer, stack, key), limit);
    }

    /// Asks a peer something and waits for the answer.
    ///
    /// @throws ServiceFailed when the peer did not answer in time, or the link ended before it did
    public byte[] request(NodeId peer, int kind, byte[] body, Duration limit) {
        return answered(link(peer, limit), kind, body, limit);
    }

    /// It was only to see whether it could be made; whoever made it ends it.
    private static void end(Proved trial) {
        try (var path = trial.stream()) {
            path.read(ByteBuffer.allocate(1));
        } catch (IOException _) {
            // it has ended
        }
    }

    /// For a connection that is only tried.
    public Hello trial(NodeId peer) {
        return Hello.trial(pool, peer);
    }

    /// How long an answer of this peer takes, once there is a service link to it.
    public Duration ping(NodeId peer, Duration limit) {
        var link = link(peer, limit);
        long asked = tasks.nanoTime();
        answered(link, ECHO, NOTHING, limit);
        return Duration.ofNanos(tasks.nanoTime() - asked);
    }

    /// The round trip to a peer. Other requests may have had to wait for something, and what is
    /// done for the first time takes its time; so what is not short is measured, up to three times.
    ///
    /// @param near shorter ones need not be known exactly
    /// @throws org.ibidem.connect.Unreachable when there is no way to it
    public Optional<Duration> measured(NodeId peer, Duration near, Duration limit) {
        long end = tasks.deadline(limit);
        var known = best(peer);
        for (int i = 0; i < MOST_MEASURED && !isSure(known, near, i); i++) {
            try {
                ping(peer, Duration.ofNanos(Math.max(1, end - tasks.nanoTime())));
            } catch (ServiceFailed _) {
                break; // who deals with it next will find the same, and say so
            }
            known = best(peer);
        }
        return known;
    }

    private static boolean isSure(Optional<Duration> known, Duration near, int measured) {
        return known.filter(
                        it -> it.compareTo(near) < 0 || (measured == 2 && it.compareTo(LONG) > 0))
                .isPresent();
    }

    private byte[] answered(ServiceLink link, int kind, byte[] body, Duration limit) {
        var answer = link.request(kind, body, limit);
        var time = link.roundTrip();
        roundTrips.merge(link.peer(), time, (one, other) -> one.compareTo(other) < 0 ? one : other);
        return answer;
    }

    /// The shortest time an answer of this peer has taken so far, also over links that have ended
    /// since; none before the first.
    public Optional<Duration> best(NodeId peer) {
        return Optional.ofNullable(roundTrips.get(peer));
    }

    /// The peers of whom such a time is known.
    public Set<NodeId> known() {
        synchronized (roundTrips) { // as its iterators want it
            return Set.copyOf(roundTrips.keySet());
        }
    }

    /// The shortest time an answer of this peer has taken so far, or zero.
    public Duration roundTrip(NodeId peer) {
        var link = links.get(peer);
        return link == null ? Duration.ZERO : link.roundTrip();
    }

    /// Tells a peer something it need not answer; if it is gone, that is that.
    ///
    /// @return false: it could not be told
    public boolean tell(NodeId peer, int kind, byte[] body) {
        var link = links.get(peer);
        return link != null && link.tell(kind, body);
    }

    /// The peer is dead: nobody waits for its answers any more.
    public void gone(NodeId peer, String why) {
        cutOff.remove(peer);
        trunks.gone(peer);
        roundTrips.remove(peer);
        var link = links.get(peer);
        if (link != null) {
            tasks.start("end a dead node's service link", () -> link.close(why));
        }
    }

    ServiceLink link(NodeId peer, Duration limit) {
        var there = links.get(peer);
        if (there != null && there.alive()) {
            return there;
        }
        var lock = dialing.computeIfAbsent(peer, _ -> new ReentrantLock());
        long asked = tasks.nanoTime();
        await(lock, peer, limit);
        try {
            var meanwhile = links.get(peer);
            if (meanwhile != null && meanwhile.alive()) {
                return meanwhile;
            }
            if (closed) {
                throw new ServiceFailed("this node was closed");
            }
            var left = limit.minusNanos(tasks.nanoTime() - asked);
            var made = adopt(dialer.dial(peer, Hello.service(pool, peer), left));
            run(made);
            return made;
        } finally {
            lock.unlock();
            dialing.remove(peer);
        }
    }

    /// Waits while somebody else connects to the same peer, but no longer than may be.
    private static void await(ReentrantLock lock, NodeId peer, Duration limit) {
        try {
            if (!lock.tryLock(limit.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new ServiceFailed(
                        "node " + peer.brief() + " is being connected to, and was not in time");
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new ServiceFailed("the thread was interrupted");
        }
    }

    /// Whether a peer to which there was a service link is still there, as far as that one tells:
    /// it lives, or was cut off. What it was routed through may have been, and not the peer.
    public boolean mayBeThere(NodeId peer) {
        return !closed && (links.containsKey(peer) || cutOff.containsKey(peer));
    }

    /// Whether a peer has given no sign of life for long, and nothing worse is known of it.
    public boolean isSilent(NodeId peer) {
        return !closed && Boolean.TRUE.equals(cutOff.get(peer));
    }

    private ServiceLink adopt(Proved proved) {
        var control = ControlLink.over(proved, tasks, limits);
        var link = new ServiceLink(control, services, tasks);
        links.put(proved.peer(), link);
        cutOff.remove(proved.peer());
        return link;
    }

    /// Begins to receive.
    private void run(ServiceLink link) {
        running.incrementAndGet();
        watch(link);
        link.receiveAll(() -> {
            try {
                tasks.start("end of a service link", () -> over(link));
            } catch (IllegalStateException _) {
                over(link); // this node is going down
            }
        });
    }

    private void over(ServiceLink link) {
        running.decrementAndGet();
        var ending = link.ending();
        switch (ending) {
            case Ending.Silent _ -> cutOff.put(link.peer(), true);
            case Ending.Reset _, Ending.Altered _ -> cutOff.put(link.peer(), false);
            case null, default -> {
                // it has gone, or is to
            }
        }
        links.remove(link.peer(), link);
        if (ending instanceof Ending.Violation(var reason)) {
            complaints.say(
                    System.Logger.Level.WARNING,
                    "service link of node " + link.peer() + " closed: " + reason);
        }
        if (ending != null && !closed) {
            whenLost.accept(link.peer(), ending);
        }
    }

    private void watch(ServiceLink link) {
        tasks.after(
                IDLE,
                "close an idle service link",
                () -> {
                    if (!link.alive()) {
                        return;
                    }
                    if (!needed.test(link.peer()) && link.idleFor(IDLE)) {
                        link.close("it was idle");
                    } else {
                        watch(link);
                    }
                });
    }

    /// Whether there is a service link to this peer now.
    public boolean connected(NodeId peer) {
        return links.containsKey(peer);
    }

    @Override
    public void close() {
        closed = true;
        trunks.close();
        links.values().forEach(link -> link.close("the node was closed"));
    }
}
