package org.ibidem.rmi;

import java.io.InvalidClassException;
import java.io.NotSerializableException;
import java.io.ObjectStreamException;
import java.io.Serializable;
import java.rmi.ConnectException;
import java.rmi.Remote;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;
import org.ibidem.IbidemException;
import org.ibidem.port.ReceiveSetup;
import org.ibidem.port.WriteMessage;
import org.ibidem.registry.Membership;
import org.ibidem.registry.Node;
import org.ibidem.registry.PoolEvent;
import org.ibidem.registry.Subscription;
import org.ibidem.registry.access.Runtimes;
import org.ibidem.rmi.frame.CallSettings;
import org.ibidem.rmi.frame.Exchange;
import org.ibidem.rmi.frame.Outgoing;
import org.ibidem.rmi.frame.Reference;
import org.ibidem.rmi.frame.RemoteMethod;
import org.ibidem.rmi.frame.Stub;
import org.ibidem.rmi.generate.Allowed;
import org.ibidem.rmi.generate.RemoteType;
import org.ibidem.rmi.generate.Stubs;
import org.ibidem.serial.ObjectPolicy;
import org.ibidem.task.Tasks;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// What one node has of remote calls: objects, those it calls, those that call it.
final class Part implements Exchange, AutoCloseable {
    /// For references that were in flight when a connection was lost.
    private static final Duration GRACE = Duration.ofSeconds(30);

    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(20);
    private static final Duration HUB_LIMIT = Duration.ofSeconds(10);
    private static final Duration SWEEP = Duration.ofMillis(500);
    private static final int MOST_DEPARTED = 65_536;

    private final Node node;
    private final Rmi.Options options;
    private final Duration grace;
    private final Places places;
    private final Exports exports;
    private final Allowed allowed = new Allowed();
    private final ObjectPolicy policy;
    private final PortTypes types;
    private final Map<NodeId, Peer> peers = new ConcurrentHashMap<>();

    /// What was in flight to a node when a connection with it was lost.
    private final Map<NodeId, Queue<Map<Long, List<Object>>>> orphans = new ConcurrentHashMap<>();

    private final Map<NodeId, Object> connecting = new ConcurrentHashMap<>();
    private final AtomicLong names = new AtomicLong();
    private final Holding holding;

    /// Nodes without a connection that are looked at again.
    private final Set<NodeId> strays = ConcurrentHashMap.newKeySet();

    /// Members that are none any more, the latest.
    private final Set<NodeId> departed = ConcurrentHashMap.newKeySet();

    private final Serving serving;
    private final Tasks.Task sweeping;
    private volatile LongPredicate named = _ -> false;
    private volatile boolean closed;
    private final Subscription events;

    Part(Node node, Rmi.Options options) {
        this(node, options, GRACE);
    }

    /// @param grace how long what a node had is kept that has no connection any more
    Part(Node node, Rmi.Options options, Duration grace) {
        this.node = node;
        this.options = options;
        this.grace = grace;
        this.places = new Places(options.running());
        this.exports = new Exports(node.id());
        this.policy = options.policy().allowWhere(allowed).loader(options.loader());
        this.types = PortTypes.over(options.stack());
        this.holding = new Holding(new OtherNodes(this));
        this.serving = new Serving(this);
        this.sweeping = tasks().repeat(SWEEP, "remote objects that nobody uses", this::sweep);
        this.events = node.events(this::happened);
    }

    private void happened(PoolEvent event) {
        switch (event) {
            case PoolEvent.Left left -> gone(left.member().id(), "it has left the pool");
            case PoolEvent.Died died -> gone(died.member().id(), "it has died: " + died.why());
            default -> {}
        }
    }

    private boolean sweep() {
        exports.sweep();
        holding.sweep();
        return !closed;
    }

    private void gone(NodeId id, String why) {
        if (departed.size() >= MOST_DEPARTED) {
            departed.clear(); // an id that is none any more does not speak up after so long
        }
        departed.add(id);
        var inFlight = orphans.remove(id);
        if (inFlight != null) {
            inFlight.forEach(Map::clear);
        }
        for (var each : exports.all()) {
            each.release(id, Long.MAX_VALUE, this);
        }
        var peer = peers.get(id);
        if (peer != null) {
            peer.gone(why);
        }
        connecting.remove(id);
    }

    /// Whether this node calls another one already.
    boolean isConnected(NodeId id) {
        return !id.equals(node.id()) && peers.containsKey(id);
    }

    /// Whether a node is known to have left or died.
    boolean isGone(NodeId id) {
        return closed || departed.contains(id);
    }

    /// A node has a stub of an object of this one, or has none any more.
    ///
    /// @return false: there is no such object
    boolean heard(NodeId from, long object, boolean has, long number) {
        var exported = exports.of(object);
        if (exported == null || departed.contains(from)) {
            return false;
        }
        if (has) {
            return exported.hold(from, number);
        }
        exported.release(from, number, this);
        return true;
    }

    /// A node calls no more, or its connection is lost. Of a member that has gone an event tells,
    /// of a visitor nobody: what it has stubs of is let go, unless it is back after a while.
    void strayed(NodeId from) {
        later(grace, "stubs of a visitor", () -> look(from));
    }

    /// Whoever is in the pool still is looked at again where this node cannot know which of the two
    /// it is.
    private void look(NodeId from) {
        if (serving.isCalledBy(from) || isGone(from)) {
            return;
        }
        if (!isThere(from)) {
            heardNothing(from);
        } else if (!followsMembers() && holds(from) && strays.add(from)) {
            later(
                    grace,
                    "stubs of a visitor",
                    () -> {
                        strays.remove(from);
                        look(from);
                    });
        }
    }

    private boolean holds(NodeId from) {
        return exports.all().stream().anyMatch(each -> each.isHeldBy(from));
    }

    private boolean followsMembers() {
        return node.membership() != Membership.NONE;
    }

    /// Whether a node is a member; where this one does not follow members, whether the hub knows
    /// it, be it as a visitor. A hub that is away says nothing about it.
    private boolean isThere(NodeId id) {
        try {
            return followsMembers()
                    ? node.member(id).isPresent()
                    : node.contact(id, HUB_LIMIT).isPresent();
        } catch (IbidemException _) {
            return true;
        }
    }

    /// Nobody of a node has a stub any more.
    void heardNothing(NodeId from) {
        for (var each : exports.all()) {
            each.release(from, Long.MAX_VALUE, this);
        }
    }

    /// The directory of a node.
    Names.Held directory(NodeId id, Duration limit) {
        var reference = Reference.of(id, Exports.DIRECTORY, List.of(Names.Held.class.getName()));
        var settings = new CallSettings(limit.toNanos(), false);
        return (Names.Held) stub(reference, List.of(RemoteType.of(Names.Held.class)), settings);
    }

    /// A connection is lost: what was in flight is kept a while, in which the other node may tell
    /// the owners of it, unless it is gone.
    void orphaned(NodeId to, Map<Long, List<Object>> inFlight) {
        if (inFlight.isEmpty()) {
            return;
        }
        orphans.compute(
                to,
                (_, all) -> { // at once, as an empty one is taken away
                    var mine =
                            all == null
                                    ? new ConcurrentLinkedQueue<Map<Long, List<Object>>>()
                                    : all;
                    mine.add(inFlight);
                    return mine;
                });
        if (isGone(to)) {
            orphans.remove(to);
            return;
        }
        later(
                grace,
                "references in flight",
                () ->
                        orphans.computeIfPresent(
                                to,
                                (_, all) -> all.remove(inFlight) && all.isEmpty() ? null : all));
    }

    /// Has something done after a while, if this is open still.
    void later(Duration after, String what, Runnable body) {
        try {
            if (!closed) {
                tasks().after(after, what, body);
            }
        } catch (IllegalStateException _) {
            closed = true; // this node is
        }
    }

    /// Has something done when a future is; null: now.
    void whenDone(@Nullable CompletableFuture<@Nullable Void> told, String what, Runnable body) {
        if (told == null) {
            tasks().start(what, body);
        } else {
            var _ = told.thenRun(() -> tasks().start(what, body));
        }
    }

    /// Who knows which objects have a name.
    void named(LongPredicate knows) {
        named = knows;
    }

    boolean isNamed(long object) {
        return named.test(object);
    }

    Node node() {
        return node;
    }

    Tasks tasks() {
        return Runtimes.of(node).tasks();
    }

    Places places() {
        return places;
    }

    Exports exports() {
        return exports;
    }

    Serving serving() {
        return serving;
    }

    PortTypes ports() {
        return types;
    }

    ObjectPolicy policy() {
        return policy;
    }

    ReceiveSetup setup() {
        return ReceiveSetup.USUAL.allow(policy);
    }

    /// Has an object called from now on.
    Exported export(Remote object, long wellKnown) {
        return export(object, wellKnown, 0);
    }

    /// The same.
    ///
    /// @param waiting calls that wait for their turn at most, one at a time; 0: all run at once
    Exported export(Remote object, long wellKnown, int waiting) {
        var turns = waiting == 0 ? null : new Turns(tasks(), waiting);
        var made = exports.add(object, wellKnown, turns);
        made.types().forEach(allowed::addArguments);
        return made;
    }

    /// A stub of an object whose interfaces are known.
    Object stub(Reference reference, List<RemoteType> types, CallSettings settings) {
        types.forEach(allowed::addResults);
        return known(Stubs.of(types).stub(this, reference, settings));
    }

    /// Its owner is told of it.
    private Object known(Object made) {
        var stub = Stub.of(made);
        if (stub != null
                && (stub.reference().object() < 0 || stub.reference().object() >= Exports.FIRST)) {
            InFlight.reads(holding.add(stub));
        }
        return made;
    }

    /// A stub of the same object that calls otherwise.
    Object again(Stub stub, CallSettings settings) {
        return known(Stubs.of(types(stub)).stub(this, stub.reference(), settings));
    }

    Object again(Stub like, Reference reference) {
        return known(Stubs.of(types(like)).stub(this, reference, like.settings()));
    }

    Object cast(Stub stub, Class<?> type) {
        return stub(stub.reference(), List.of(RemoteType.of(type)), stub.settings());
    }

    private List<RemoteType> types(Stub stub) {
        try {
            return types(stub.reference());
        } catch (InvalidClassException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /// A stub with an interface beside those of the object.
    Object beside(Stub stub, Class<?> type) {
        return known(Stubs.beside(type, types(stub)).stub(this, stub.reference(), stub.settings()));
    }

    @Override
    public Outgoing begin(Stub of, RemoteMethod method) {
        // To connect and to write may take as long as others need a place for what they run.
        boolean gave = places.pause();
        boolean patient = isPatient();
        boolean interrupted = patient && Thread.interrupted();
        boolean begun = false;
        try {
            var peer = peer(of.node(), of.settings());
            var call = peer.begin(of, method, patient);
            call.gavePlace(gave, interrupted);
            begun = true;
            return call;
        } catch (IbidemException | IllegalStateException e) {
            var what = "not called: " + method + ": node " + of.node().brief();
            var why = new ConnectException(what + " cannot be reached: " + e.getMessage(), e);
            return new Hindered(this, method, why);
        } finally {
            places.resume(gave && !begun);
            if (interrupted && !begun) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /// Whether this thread waits for the end of its call though it is interrupted. Those that run
    /// calls do, too: in `java.rmi` they are platform threads.
    private boolean isPatient() {
        return !options.interruptible()
                && (places.isRunning() || !Thread.currentThread().isVirtual());
    }

    private Peer peer(NodeId to, CallSettings settings) {
        var known = peers.get(to);
        return known != null && !known.isGone() ? known : connected(to, settings);
    }

    /// One at a time: others that want the same node wait for it.
    private Peer connected(NodeId to, CallSettings settings) {
        synchronized (connecting.computeIfAbsent(to, _ -> new Object())) {
            var known = peers.get(to);
            if (known != null && !known.isGone()) {
                return known;
            }
            var limit =
                    settings.limit() < CONNECT_LIMIT.toNanos()
                            ? Duration.ofNanos(settings.limit())
                            : CONNECT_LIMIT;
            var made = new Peer(this, to, Serving.NAME + "/" + names.incrementAndGet());
            made.connect(limit);
            peers.put(to, made);
            if (made.isGone()) {
                peers.remove(to, made);
            }
            return made;
        }
    }

    void forget(NodeId to, Peer peer) {
        peers.remove(to, peer);
    }

    @Override
    public Object standIn(Object object) throws ObjectStreamException {
        var stub = Stub.of(object);
        if (stub != null) {
            InFlight.writes(object);
            return stub.reference();
        }
        var exported = object instanceof Remote remote ? exports.of(remote) : null;
        if (exported != null) {
            InFlight.writes(object);
            return exported.reference();
        }
        if (object instanceof Serializable) {
            return object;
        }
        throw new NotSerializableException(
                object.getClass().getName()
                        + ", a remote object that is not exported: export it, and it travels by"
                        + " reference");
    }

    @Override
    public Object resolve(Reference reference) throws InvalidClassException {
        return stub(reference, types(reference), CallSettings.USUAL);
    }

    /// Those of its interfaces that are known here.
    private List<RemoteType> types(Reference reference) throws InvalidClassException {
        return RemoteType.named(reference.interfaces(), options.loader());
    }

    /// A call that cannot begin.
    private static final class Hindered extends Outgoing {
        Hindered(Exchange exchange, RemoteMethod method, Throwable why) {
            super(exchange, method);
            failed(why);
        }

        @Override
        protected @Nullable Throwable perform(
                @Nullable WriteMessage arguments, @Nullable Throwable why) {
            return why;
        }

        @Override
        protected void done() {
            throw new IllegalStateException("it is hindered");
        }

        @Override
        protected java.util.concurrent.CompletableFuture<@Nullable Object> start(
                @Nullable WriteMessage arguments, @Nullable Throwable why) {
            return java.util.concurrent.CompletableFuture.failedFuture(
                    why == null ? new IllegalStateException("it is hindered") : why);
        }
    }

    @Override
    public void close() {
        holding.close();
        closed = true;
        sweeping.stop();
        events.close();
        exports.clear();
        serving.close();
        for (var peer : List.copyOf(peers.values())) {
            peer.gone("this node no longer calls");
        }
    }
}
