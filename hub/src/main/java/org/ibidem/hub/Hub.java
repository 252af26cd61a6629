package org.ibidem.hub;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.ibidem.accept.Listener;
import org.ibidem.accept.OriginQuota;
import org.ibidem.arbitration.Clock;
import org.ibidem.arbitration.Threads;
import org.ibidem.connect.Declarations;
import org.ibidem.control.ControlLink;
import org.ibidem.control.Ending;
import org.ibidem.handshake.Admission;
import org.ibidem.handshake.Handshake;
import org.ibidem.handshake.Hello;
import org.ibidem.handshake.Proved;
import org.ibidem.handshake.Refusal;
import org.ibidem.handshake.Vetting;
import org.ibidem.hub.journal.Journal;
import org.ibidem.hub.relay.Limits;
import org.ibidem.hub.relay.Relay;
import org.ibidem.identity.Identity;
import org.ibidem.identity.NodeKey;
import org.ibidem.link.Catalog;
import org.ibidem.peer.Purpose;
import org.ibidem.station.CertificateWatch;
import org.ibidem.task.Complaints;
import org.ibidem.topology.NodeId;
import org.ibidem.trust.JobKey;
import org.jspecify.annotations.Nullable;

/// A hub: nodes join pools through it, hear who else is there, and learn how each can be reached.
/// Runs in any JVM; several may.
///
/// ```java
/// try (var hub = Hub.start(Hub.Options.DEFAULT.port(0))) {
///     var node = Node.join(Join.pool("demo").hub("localhost:" + hub.port()));
/// }
/// ```
///
/// Nobody needs it for connections that are made already: they outlive it.
public final class Hub implements AutoCloseable {
    /// The port where nothing else is said.
    public static final int DEFAULT_PORT = 8888;

    private static final Logger LOG = System.getLogger(Hub.class.getName());
    private static final Duration GOODBYE = Duration.ofSeconds(2);
    private static final Duration LONGEST_SWEEP = Duration.ofMillis(500);

    private final Options options;
    private final Threads tasks;
    private final State state;
    private final ServedPools served;
    private final Handshake handshake;
    private final Listener listener;
    private final Listener observer;
    private final Register register;
    private final Revoker revoker;
    private final Prober prober;
    private final Map<String, ReachabilityProber> reachability = new ConcurrentHashMap<>();
    private final Invitations invitations;
    private final Relay relay;
    private final Complaints complaints;

    /// Of nodes that have nothing carried, by account.
    private final Map<String, Integer> connections = new ConcurrentHashMap<>();

    private final Places places;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile @Nullable IOException failure;

    /// How a hub runs.
    ///
    /// @param port to listen on; 0: any free one
    /// @param open true: on all interfaces, so that whoever reaches the port may join; false:
    ///   loopback only
    /// @param bounds what it holds, and how long it waits
    /// @param state the folder in which it keeps its pools and its key, to be the same hub when it
    ///   is started again; null: nowhere
    /// @param relaying how much may be sent through it
    /// @param connecting how many connections it takes
    /// @param observer the second port, at which nodes only ask as whom they are seen: who cannot
    ///   get there does not learn what kind of NAT it is behind; 0: any free one
    /// @param identity who it is; null: who its state says, or somebody new
    public record Options(
            int port,
            boolean open,
            Bounds bounds,
            @Nullable Path state,
            RelayUse relaying,
            ConnectionUse connecting,
            int observer,
            @Nullable Identity identity) {
        /// Port 8888, loopback only, no state.
        public static final Options DEFAULT =
                new Options(
                        DEFAULT_PORT,
                        false,
                        Bounds.DEFAULT,
                        null,
                        RelayUse.UNLIMITED,
                        ConnectionUse.DEFAULT,
                        0,
                        null);

        /// The same on another port.
        public Options port(int another) {
            return new Options(
                    another, open, bounds, state, relaying, connecting, observer, identity);
        }

        /// The same, open or not.
        public Options open(boolean toAll) {
            return new Options(
                    port, toAll, bounds, state, relaying, connecting, observer, identity);
        }

        /// The same, with other bounds.
        public Options bounds(Bounds others) {
            return new Options(port, open, others, state, relaying, connecting, observer, identity);
        }

        /// The same, with its state kept in this folder.
        public Options state(Path folder) {
            return new Options(
                    port, open, bounds, folder, relaying, connecting, observer, identity);
        }

        /// The same, with another second port.
        public Options observer(int another) {
            return new Options(port, open, bounds, state, relaying, connecting, another, identity);
        }

        /// The same, with other limits of connections.
        public Options connecting(ConnectionUse another) {
            return new Options(port, open, bounds, state, relaying, another, observer, identity);
        }

        /// The same, with another use of its relaying.
        public Options relaying(RelayUse another) {
            return new Options(port, open, bounds, state, another, connecting, observer, identity);
        }

        /// The same, as this one instead of the one in the folder of its state: with the
        /// certificates of the pools that have an authority.
        public Options identity(Identity known) {
            return new Options(port, open, bounds, state, relaying, connecting, observer, known);
        }
    }

    /// What a hub is made of.
    ///
    /// @param job the key that who comes must have; null: it takes everybody
    private record Context(Threads tasks, State state, Attention attention, @Nullable JobKey job) {}

    private Hub(Options options, Context context) {
        this.options = options;
        this.tasks = context.tasks;
        this.state = context.state;
        this.served = new ServedPools(governed(options), options.connecting.otherPools());
        var identity = identity(options);
        var vetting = new Vetting(identity.trust(), Declarations.NONE, Catalog.NONE, context.job);
        this.handshake = new Handshake(identity, tasks, options.bounds.patience(), vetting);
        this.complaints = new Complaints(LOG, tasks);
        this.prober = new Prober(handshake, tasks);
        this.invitations = new Invitations(identity.trust(), tasks);
        this.register = new Register(state, tasks, context.attention, this::fail);
        this.revoker = new Revoker(identity.trust(), register, new KeptLists(options.state), tasks);
        CertificateWatch.keep(identity, tasks);
        this.places = new Places(options.connecting);
        this.relay =
                new Relay(
                        options.relaying
                                .limits()
                                .spokes(options.connecting.ofPool())
                                .governed(served.governed()),
                        tasks,
                        handshake.identity().id(),
                        this::serve);
        this.listener = Listener.bound(options.port, options.open, handshake, tasks);
        this.observer = observer(options);
    }

    private Listener observer(Options options) {
        try {
            return Listener.bound(options.observer, options.open, handshake, tasks);
        } catch (RuntimeException e) {
            listener.close();
            throw e;
        }
    }

    /// Starts a hub; it listens when this returns.
    ///
    /// @throws org.ibidem.accept.CannotListen when the port is taken or may not be used
    /// @throws CannotKeepState when its state cannot be read or kept where it is to be
    public static Hub start(Options options) {
        return start(options, Clock.SYSTEM);
    }

    /// The same for one job alone: who comes must have the job's key.
    ///
    /// @throws org.ibidem.accept.CannotListen as [#start(Options)]
    public static Hub start(Options options, JobKey job) {
        return start(options, Clock.SYSTEM, Journal.Opener.DISK, job);
    }

    static Hub start(Options options, Clock clock) {
        return start(options, clock, Journal.Opener.DISK);
    }

    static Hub start(Options options, Clock clock, Journal.Opener disk) {
        return start(options, clock, disk, null);
    }

    private static Hub start(
            Options options, Clock clock, Journal.Opener disk, @Nullable JobKey job) {
        var tasks = new Threads("hub", clock);
        try {
            var attention = new Attention(tasks, sweeping(options));
            var state = state(options, disk, attention::now);
            try {
                var hub = new Hub(options, new Context(tasks, state, attention, job));
                hub.sweepLater();
                hub.listener.observesToo(hub.observer);
                hub.serve(Purpose.BOOTSTRAP, hub::judge, hub::serve);
                hub.serve(Purpose.ROUTED, hub::judge, hub.relay::serve);
                hub.serve(Purpose.INVITATION, hub.invitations, hub.invitations::serve);
                hub.listener.begin();
                hub.observer.begin();
                return hub;
            } catch (RuntimeException e) {
                state.close();
                throw e;
            }
        } catch (RuntimeException e) {
            tasks.close();
            throw e;
        }
    }

    /// Whatever a connection is for, its pool is one that this hub serves.
    private void serve(Purpose purpose, Admission admission, Consumer<Proved> handler) {
        listener.serve(purpose, served.before(admission), handler);
    }

    private static Set<String> governed(Options options) {
        return options.identity == null ? Set.of() : options.identity.trust().pools();
    }

    private static State state(Options options, Journal.Opener disk, LongSupplier now) {
        var limits = options.bounds.limits(governed(options));
        return options.state == null
                ? State.passing(limits)
                : State.kept(options.state, disk, limits, now);
    }

    private static Identity identity(Options options) {
        if (options.identity != null) {
            return options.identity;
        }
        return options.state == null
                ? Identity.create()
                : Identity.stored(options.state.resolve("identity"));
    }

    /// Who it is; new each time a hub is started, unless it keeps its state.
    public NodeId id() {
        return handshake.identity().id();
    }

    /// The port it listens on.
    public int port() {
        return listener.port();
    }

    /// The port at which nodes only ask as whom they are seen.
    public int observerPort() {
        return observer.port();
    }

    /// Where nodes may reach it, best first.
    public List<InetSocketAddress> addresses() {
        return listener.addresses();
    }

    /// Takes a list of revoked certificates, and each that is put in its place: who is on it is
    /// sent away, and all nodes of the pool are told.
    ///
    /// @param file as `ibidem pool revoke` writes it
    /// @throws org.ibidem.trust.NotTrusted when it does not count; one that is put there later and
    ///   does not is complained of, and that before it goes on to count
    public void revoked(Path file) {
        revoker.watch(file);
    }

    Limits relayLimits() {
        return relay.limits();
    }

    /// What became of the connections to its port so far.
    Listener.Tally tally() {
        return listener.tally();
    }

    /// What it found in the folder of its state, for people; empty where it keeps none.
    public String state() {
        return state.summary();
    }

    /// Waits until it was closed.
    ///
    /// @throws CannotKeepState when it closed itself because nothing could be written any more
    public void awaitEnd() throws InterruptedException {
        ended.await();
        var why = failure;
        if (why != null) {
            throw new CannotKeepState(
                    "the hub has ended itself: "
                            + why.getMessage()
                            + ". What it had answered is in "
                            + options.state
                            + "; look after the disk, then start it again",
                    why);
        }
    }

    /// Ends the hub. Its nodes keep their connections to each other, and look for it until it is
    /// back.
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            listener.close();
            observer.close();
            register.close();
            sayGoodbye();
            relay.close();
            tasks.close();
            state.close();
            ended.countDown();
        }
    }

    private void fail(IOException why) {
        if (!closed.get()) {
            failure = why;
            LOG.log(Level.ERROR, "the hub ends itself: it can no longer keep its state", why);
            tasks.start("end of the hub", this::close);
        }
    }

    private void sayGoodbye() {
        var sessions = register.all();
        var said = new CountDownLatch(sessions.size());
        for (var session : sessions) {
            tasks.start(
                    "goodbye",
                    () -> {
                        session.end("the hub was ended");
                        said.countDown();
                    });
        }
        try {
            if (!said.await(GOODBYE.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.log(
                        Level.DEBUG,
                        "{0} nodes did not hear the goodbye of the hub",
                        said.getCount());
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private Admission.Verdict judge(NodeKey claimed, Hello hello) {
        if (hello.pool().isEmpty()) {
            return new Admission.Refused(Refusal.POOL, "a pool has a name: say which one to join");
        }
        var account = served.account(hello.pool());
        if (connections.getOrDefault(account, 0) + relay.trunks(account)
                >= options.bounds.connections(!account.isEmpty())) {
            return new Admission.Refused(
                    Refusal.FULL,
                    account.isEmpty()
                            ? "this hub serves as many connections as it can: try again later, or"
                                    + " name another hub"
                            : "this hub serves as many connections of this pool as it can");
        }
        return new Admission.Welcome();
    }

    /// One that comes by a connection of its own, and has nothing carried.
    private void serve(Proved proved) {
        var account = served.account(proved.hello().pool());
        connections.merge(account, 1, Integer::sum);
        try {
            serve(proved, () -> {});
        } finally {
            connections.merge(account, -1, Integer::sum);
        }
    }

    private void serve(Proved proved, Runnable joined) {
        var link = ControlLink.over(proved, tasks, options.bounds.link());
        serve(link, joined);
        if (link.ending() instanceof Ending.Violation(var reason)) {
            complaints.say(
                    Level.WARNING,
                    "connection of node "
                            + proved.peer()
                            + " of pool "
                            + proved.hello().pool()
                            + " closed: "
                            + reason);
        }
    }

    private void serve(ControlLink link, Runnable joined) {
        var proved = link.proved();
        var account = served.account(proved.hello().pool());
        var reach = reachability.computeIfAbsent(account, _ -> new ReachabilityProber(tasks));
        var claim =
                new Places.Claim(
                        account,
                        proved.hello().pool(),
                        proved.peer(),
                        OriginQuota.origin(proved.path()),
                        why -> tasks.start("send away", () -> link.close(why)));
        try (var place = places.take(claim)) {
            new Session(register, prober, reach, link, tasks)
                    .run(place, joined, options.bounds.patience());
        }
    }

    private static Duration sweeping(Options options) {
        var often = options.bounds.suspicion().dividedBy(10);
        return often.compareTo(LONGEST_SWEEP) < 0 ? often : LONGEST_SWEEP;
    }

    private void sweepLater() {
        tasks.after(
                sweeping(options),
                "sweep",
                () -> {
                    register.sweep();
                    try {
                        revoker.sweep();
                        invitations.sweep();
                    } finally {
                        sweepLater();
                    }
                });
    }
}
