package org.ibidem.station;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.ibidem.accept.Listener;
import org.ibidem.accept.Observer;
import org.ibidem.arbitration.WaitChoice;
import org.ibidem.channel.Channels;
import org.ibidem.config.Limit;
import org.ibidem.config.Services;
import org.ibidem.config.Settings;
import org.ibidem.connect.ConnectMethod;
import org.ibidem.connect.Declarations.Declared;
import org.ibidem.connect.Heartbeat;
import org.ibidem.connect.LocalAddresses;
import org.ibidem.connect.Relay;
import org.ibidem.connect.socks.Socks;
import org.ibidem.control.Peers;
import org.ibidem.dial.Brokering;
import org.ibidem.dial.Dialler;
import org.ibidem.dial.Experience;
import org.ibidem.dial.LearnedLine;
import org.ibidem.dial.PeerReports;
import org.ibidem.dial.Policy;
import org.ibidem.handshake.Handshake;
import org.ibidem.handshake.HandshakeTimeout;
import org.ibidem.handshake.Hello;
import org.ibidem.handshake.Proved;
import org.ibidem.handshake.Vetting;
import org.ibidem.identity.Identity;
import org.ibidem.link.Catalog;
import org.ibidem.link.Datagrams;
import org.ibidem.link.Line;
import org.ibidem.link.Secrecy;
import org.ibidem.monitor.Monitor;
import org.ibidem.peer.Acquaintance;
import org.ibidem.peer.Deliberation;
import org.ibidem.peer.Purpose;
import org.ibidem.stack.Domains;
import org.ibidem.task.Tasks;
import org.ibidem.topology.Contact;
import org.ibidem.topology.Egress;
import org.ibidem.topology.Location;
import org.ibidem.topology.NodeId;
import org.ibidem.topology.Surroundings;
import org.jspecify.annotations.Nullable;

/// Everything with which one node deals with others, whoever told it about them: its identity, its
/// listener, its service links and its channels; and what must end when the node ends.
public final class NodeRuntime implements AutoCloseable {
    private static final int HIGHEST_PORT = 0xFFFF;

    /// A round trip below that is the same to everybody.
    private static final Duration NEAR = Duration.ofMillis(4);

    /// How old counters may be that others look at while messages are counted.
    private static final Duration SHOWN_EVERY = Duration.ofMillis(250);

    private final Handshake handshake;
    private final Listener listener;
    private final boolean chosenPort;
    private final Tasks tasks;
    private final Whereabouts contacts;
    private final Catalog catalog = Catalog.found();
    private final Domains domains;
    private final Peers peers;
    private final Brokering brokering;
    private final List<ConnectMethod> methods;
    private final Policy policy;
    private final Secrecy secrecy;
    private final Dialler dialler;
    private final Explanations explanations;
    private final Channels channels;
    private final Trials trials;
    private final Ways ways;
    private volatile Function<NodeId, @Nullable Location> locations = _ -> null;
    private final WaitChoice waiting = WaitChoice.usual();
    private final Monitor monitor;
    private final AtomicBoolean begun = new AtomicBoolean();
    private final Map<Class<?>, Object> rooms = new ConcurrentHashMap<>();
    private final Dependents dependents;

    /// Finds out where a peer may be.
    @FunctionalInterface
    public interface Whereabouts {
        /// What is known of a peer.
        ///
        /// @param limit how long that may take
        /// @throws org.ibidem.IbidemException when it cannot be found out
        Contact of(NodeId peer, Duration limit);
    }

    /// One that has begun, where it takes no time to find out where a peer is.
    public static NodeRuntime begun(
            Identity identity,
            String pool,
            boolean open,
            Function<NodeId, Contact> contacts,
            Tasks tasks) {
        var made = new NodeRuntime(identity, pool, open, (peer, _) -> contacts.apply(peer), tasks);
        made.begin();
        return made;
    }

    /// Listens for peers and is ready to reach them. Where it is not open, peers wait until a hub
    /// has answered, or it [begins][#begin]: before, it does not know whether its hub is that of a
    /// job, whose key all are asked for.
    ///
    /// @param pool the pool whose members are peers
    /// @param open whether peers on other machines may connect; else loopback only
    /// @param contacts where a peer may be
    public NodeRuntime(
            Identity identity, String pool, boolean open, Whereabouts contacts, Tasks tasks) {
        this.methods = Services.of(ConnectMethod.class);
        this.policy = Policy.of(identity.id(), Settings.system(), methods, this::location);
        var vetting = new Vetting(identity.trust(), policy.declarations(), catalog);
        this.secrecy = vetting.secrecy(pool);
        this.handshake = new Handshake(identity, tasks, Limit.HANDSHAKE.get(), vetting);
        Settings.system().warnOfStrangers();
        Heartbeat.of(Settings.system()); // says what is wrong with it
        int port = open ? usualPort() : 0;
        this.chosenPort = port != 0;
        this.listener = Listener.bound(port, open, handshake, tasks);
        this.tasks = tasks;
        this.dependents = new Dependents(tasks);
        CertificateWatch.keep(identity, tasks);
        this.domains = new Domains(catalog, tasks, open);
        this.contacts = contacts;
        this.peers = new Peers(pool, listener, this::dial, tasks);
        this.brokering = new Brokering(peers, listener, methods, tasks);
        this.dialler = new Dialler(handshake, policy, brokering, open);
        this.explanations =
                new Explanations(peers, handshake, methods, brokering, this::contact, policy);
        this.channels =
                new Channels(
                        identity, peers, new Channels.Context(catalog, domains, this::line), tasks);
        domains.able(Datagrams.class).forEach(brokering::datagrams);
        this.trials = new Trials(peers, channels, this::contact, this::line, secrecy);
        this.ways = new Ways(peers, channels);
        var label = "node " + identity.id() + " of pool " + pool;
        this.monitor = Monitor.open(monitorFolder(), label, this::watch);
        vetting.whenAnswered(this::begin);
        if (open) {
            begin();
        }
    }

    /// Takes peers in from now on, if it does not yet.
    public void begin() {
        if (!begun.getAndSet(true)) {
            listener.begin();
            domains.able(Datagrams.class).forEach(each -> each.welcome(listener::visit));
        }
    }

    private boolean watch(BooleanSupplier counters) {
        try {
            tasks.repeat(SHOWN_EVERY, "show counters", counters);
            return true;
        } catch (IllegalStateException | OutOfMemoryError e) {
            return false; // the node is closed, or the system has no thread for this now
        }
    }

    /// The setting `ibidem.port`: on which an open node listens; 0: on any.
    public static int usualPort() {
        return Settings.system().value("ibidem.port", 0, NodeRuntime::port);
    }

    private static int port(int wish) {
        if (wish < 0 || wish > HIGHEST_PORT) {
            throw new IllegalArgumentException("a port is 1 to 65535, or 0 for any free one");
        }
        return wish;
    }

    /// Who this node is.
    public NodeId id() {
        return handshake.identity().id();
    }

    /// The handshake with this node's identity.
    public Handshake handshake() {
        return handshake;
    }

    /// Where peers come in.
    public Listener listener() {
        return listener;
    }

    /// The service links to peers.
    public Peers peers() {
        return peers;
    }

    /// The channels to and from peers.
    public Channels channels() {
        return channels;
    }

    /// The connect methods there are, the likely ones first.
    public List<ConnectMethod> methods() {
        return methods;
    }

    /// The proxies known on this machine.
    public static List<String> proxies() {
        return Socks.proxies();
    }

    /// The drivers and filters there are.
    public Catalog catalog() {
        return catalog;
    }

    /// Whether what this node sends must be encrypted.
    public Secrecy secrecy() {
        return secrecy;
    }

    /// What the network drivers have at this node.
    public Domains domains() {
        return domains;
    }

    /// A peer is dead: its links and channels end, and whoever waits for it is told.
    ///
    /// @param why for people
    public void gone(NodeId peer, String why) {
        dialler.experience().forget(peer);
        channels.gone(peer, why);
        peers.gone(peer, why);
    }

    /// Whether a peer that could not be connected to may only be stopped, or busy: it gives no sign
    /// of life, but nothing says that it has ended. Whether it is dead is for the pool to say.
    ///
    /// @param failed how connecting to it ended
    public boolean mayOnlyBeSilent(NodeId peer, Throwable failed) {
        return peers.isSilent(peer) || isUnanswered(failed);
    }

    private static boolean isUnanswered(Throwable failed) {
        var cause = failed.getCause();
        return failed instanceof HandshakeTimeout
                || (cause != null && isUnanswered(cause))
                || Stream.of(failed.getSuppressed()).anyMatch(NodeRuntime::isUnanswered);
    }

    /// A peer belongs to the pool no more, though it lives: as [#gone], and what it has sent and
    /// nobody has read is not read any more.
    public void cut(NodeId peer, String why) {
        dialler.experience().forget(peer);
        channels.cut(peer, why);
        peers.gone(peer, why);
    }

    /// The folder where counters can be seen: the setting `ibidem.monitor`; empty: nowhere.
    public static String monitorFolder() {
        var set = Settings.system().value("ibidem.monitor", "on");
        return switch (set) {
            case "on" -> Settings.temporary().toString();
            case "off" -> "";
            default -> set;
        };
    }

    /// The counters of this node.
    public Monitor monitor() {
        return monitor;
    }

    /// How this node's ports wait that have no way of their own.
    public WaitChoice waiting() {
        return waiting;
    }

    /// Runs things for this node.
    public Tasks tasks() {
        return tasks;
    }

    /// What others need to know to reach this node.
    public Contact contact() {
        return new Contact(id(), addresses(), domains.places());
    }

    /// A port that somebody has chosen may be handed on by a NAT: the hub puts the address it sees
    /// in the place of the wildcard one.
    private List<InetSocketAddress> addresses() {
        var mine = new ArrayList<>(listener.addresses());
        if (chosenPort) {
            mine.add(new InetSocketAddress(listener.port()));
        }
        return mine;
    }

    /// What is known of a peer, or of this node itself; found out within a time limit.
    public Contact contact(NodeId peer, Duration limit) {
        return peer.equals(id()) ? contact() : contacts.of(peer, limit);
    }

    private @Nullable Location location(NodeId peer) {
        return locations.apply(peer);
    }

    /// From now on this tells where a peer is, or null where nobody knows.
    public void locatedBy(Function<NodeId, @Nullable Location> told) {
        locations = told;
    }

    private Proved dial(NodeId peer, Hello hello, Duration limit) {
        long end = tasks.deadline(limit);
        var contact = contact(peer, limit);
        var left = Duration.ofNanos(Math.max(1, end - tasks.nanoTime()));
        return dialler.dial(contact, hello, left);
    }

    /// Tries every connect method towards a peer.
    public Explanations explanations() {
        return explanations;
    }

    /// Tries every network driver towards a peer.
    public Trials trials() {
        return trials;
    }

    /// Tells what goes to a peer now.
    public Ways ways() {
        return ways;
    }

    /// What is known of the line to a peer.
    public Line line(NodeId peer) {
        return learned(new Contact(peer, List.of(), Map.of()));
    }

    private LearnedLine learned(Contact peer) {
        return dialler.experience().line(peer.id(), policy.otherSite(peer));
    }

    /// The same, with its round trip: the peer is asked where that is not known.
    ///
    /// @throws org.ibidem.IbidemException when there is no way to it
    public Line line(Contact peer, Duration limit) {
        var line = learned(peer);
        if (line.known().roundTrip().isZero() && !peer.id().equals(id())) {
            peers.measured(peer.id(), NEAR, limit).ifPresent(line::roundTrip);
        }
        return line;
    }

    /// The connect methods by which a link to this peer is being tried at this moment.
    public List<String> trying(NodeId peer) {
        return dialler.trying(peer);
    }

    /// From now on this is who carries bytes to peers that cannot be connected to, or nobody where
    /// it gives null.
    public void relayedBy(Supplier<@Nullable Relay> relay) {
        brokering.relay(relay);
    }

    /// From now on this tells how connections of this node get out, where that is not declared.
    public void egress(Supplier<Egress> found) {
        brokering.egress(() -> policy.egress().map(Declared::value).orElseGet(found));
    }

    /// From now on this tells what peers say of their networks.
    public void hears(PeerReports reports) {
        brokering.reports(reports);
    }

    /// Where this node is, which says that it is there: at the site that is declared to have one of
    /// its addresses, if it knows no more than its host.
    public Location place(Location said) {
        return Objects.requireNonNullElse(
                policy.declarations().place(said, LocalAddresses.mine()), said);
    }

    /// What this node knows of the network it is in.
    ///
    /// @param location where it is
    /// @param seen from which address its connections are seen to come, or empty
    public Surroundings surroundings(Location location, String seen) {
        return new Surroundings(
                location,
                interfaces(),
                policy.egress().map(Declared::value).orElseGet(brokering::egress),
                policy.egress().map(Declared::where).orElse(""),
                seen,
                proxies().stream().limit(Surroundings.MOST_PROXIES).toList());
    }

    private static List<Surroundings.Interface> interfaces() {
        try {
            return LocalAddresses.interfaces().stream()
                    .limit(Surroundings.MOST_INTERFACES)
                    .toList();
        } catch (IOException e) {
            System.getLogger(NodeRuntime.class.getName())
                    .log(System.Logger.Level.DEBUG, "the interfaces cannot be listed", e);
            return List.of();
        }
    }

    /// What this node has found out about a peer by dealing with it.
    public Acquaintance acquaintance(NodeId peer) {
        return new Acquaintance(peer, peers.best(peer), dialler.experience().history(peer));
    }

    /// The peers this node has dealt with lately, 8192 at most.
    public List<Acquaintance> acquaintances() {
        return Stream.concat(dialler.experience().known().stream(), peers.known().stream())
                .distinct()
                .sorted()
                .map(this::acquaintance)
                .toList();
    }

    /// From now on this is who says from which address a connection comes.
    public void observedBy(Observer observer) {
        brokering.observer(observer);
    }

    /// Asks a peer whether it is there, over the service link, which is made if there is none.
    ///
    /// @return how long the answer took
    /// @throws org.ibidem.IbidemException when there is none within `limit`
    public Duration ping(NodeId peer, Duration limit) {
        return peers.ping(peer, limit);
    }

    /// How the last connection to a peer came about, if this node made one lately and had a choice.
    public Optional<Deliberation> deliberation(NodeId peer, Purpose purpose) {
        return Optional.ofNullable(
                dialler.experience().last(new Experience.Towards(peer, purpose)));
    }

    /// The one instance that a room above keeps for this node.
    public <T> T room(Class<T> type, Supplier<T> make) {
        return type.cast(rooms.computeIfAbsent(type, _ -> make.get()));
    }

    /// Has this closed before the node's connections are, the last one first.
    public void closeWith(AutoCloseable dependent) {
        dependents.add(dependent);
    }

    /// Was closed by itself.
    public void closed(AutoCloseable dependent) {
        dependents.remove(dependent);
    }

    /// As long as a node that is closed waits for what it has sent to arrive: the setting
    /// `ibidem.linger`.
    public static Duration linger() {
        return Dependents.linger();
    }

    /// Waits until what is finished arrives though this process ends, and leaves all open: the
    /// program may still use it. For the end of a program that does not close its node.
    ///
    /// @param begun when that end began, as the node's clock says it
    public void drain(long begun) {
        dependents.flush();
        channels.drain(begun + linger().toNanos());
    }

    /// Closes all that depends on it, then every connection, once what was finished has arrived,
    /// for which there is [#linger] altogether.
    @Override
    public void close() {
        long deadline = tasks.deadline(linger());
        dependents.close(deadline);
        dialler.experience().keep();
        channels.close(deadline);
        peers.close();
        listener.close();
        domains.close();
        monitor.close();
    }
}
