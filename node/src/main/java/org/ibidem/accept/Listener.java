package org.ibidem.accept;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.ibidem.config.AddressFamilies;
import org.ibidem.connect.Check;
import org.ibidem.connect.Expected;
import org.ibidem.connect.LocalAddresses;
import org.ibidem.connect.direct.TcpAcceptor;
import org.ibidem.handshake.Admission;
import org.ibidem.handshake.Admission.Refused;
import org.ibidem.handshake.Admission.Verdict;
import org.ibidem.handshake.Handshake;
import org.ibidem.handshake.HandshakeDropped;
import org.ibidem.handshake.HandshakeFailed;
import org.ibidem.handshake.HandshakeRefused;
import org.ibidem.handshake.Hello;
import org.ibidem.handshake.Proved;
import org.ibidem.handshake.Refusal;
import org.ibidem.handshake.WrongNode;
import org.ibidem.identity.NodeKey;
import org.ibidem.link.DatagramPath;
import org.ibidem.link.Path;
import org.ibidem.peer.Purpose;
import org.ibidem.task.Complaints;
import org.ibidem.task.Tasks;
import org.ibidem.topology.NodeId;

/// Accepts connections, has each prove itself within a bounded time and room, and hands it to
/// whoever serves its purpose.
///
/// Listens on the loopback addresses only, unless open. At most 1024 connections may be unproved;
/// the oldest of the address with the most goes when one more comes. A connection that fails is
/// closed with a logged reason, so many lines a while, and counts in [#tally].
public final class Listener implements AutoCloseable {
    /// Connections that may be unproved at a time.
    public static final int MOST_UNPROVED = 1024;

    private static final Logger LOG = System.getLogger(Listener.class.getName());
    private static final Duration PAUSE = Duration.ofMillis(50);

    private final boolean open;
    private final List<TcpAcceptor> acceptors;
    private final Handshake handshake;
    private final Tasks tasks;
    private final Complaints complaints;
    private final PendingHandshakes pending = new PendingHandshakes(MOST_UNPROVED);
    private final Map<Purpose, Served> served = new ConcurrentHashMap<>();
    private final ConnectionPreamble preamble;
    private final LongAdder accepted = new LongAdder();
    private final LongAdder proved = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder dropped = new LongAdder();
    private volatile boolean closed;

    private record Served(Admission admission, Consumer<Proved> handler) {}

    /// What became of the connections so far.
    ///
    /// @param accepted all that came
    /// @param proved handed to who serves them
    /// @param failed refused, garbled, broken or too slow
    /// @param dropped pushed out as the oldest unproved one
    public record Tally(long accepted, long proved, long failed, long dropped) {}

    private Listener(List<TcpAcceptor> acceptors, boolean open, Handshake handshake, Tasks tasks) {
        this.acceptors = acceptors;
        this.open = open;
        this.handshake = handshake;
        this.tasks = tasks;
        this.complaints = new Complaints(LOG, tasks);
        this.preamble = new ConnectionPreamble(this::addresses);
    }

    /// Listens and begins to accept; connections are refused until somebody serves their purpose.
    ///
    /// @param port 0 for any free one
    /// @param open true: on all interfaces, so that whoever reaches the port may try; false:
    ///   loopback only
    /// @throws CannotListen when the port is taken or may not be used
    public static Listener open(int port, boolean open, Handshake handshake, Tasks tasks) {
        var listener = bound(port, open, handshake, tasks);
        listener.begin();
        return listener;
    }

    /// As [#open], for one that is not ready yet: who connects waits until it begins.
    public static Listener bound(int port, boolean open, Handshake handshake, Tasks tasks) {
        try {
            return new Listener(TcpAcceptor.bind(port, open), open, handshake, tasks);
        } catch (IOException e) {
            var which = port == 0 ? "no port can" : "port " + port + " cannot";
            throw new CannotListen(
                    which + " be listened on: " + e.getMessage() + advice(port, open), e);
        }
    }

    private static String advice(int port, boolean open) {
        if (!open && AddressFamilies.loopbacks().isEmpty()) {
            return ""; // that is the cause, and the message says what to do
        }
        return port == 0
                ? "; end something that holds ports, or have the system give out more of them"
                : "; choose another port";
    }

    /// Begins to accept; once.
    public void begin() {
        readTimeZone();
        acceptors.forEach(this::startAccepting);
    }

    /// The JDK reads it for the first record that is logged. If there is no file descriptor left
    /// then, it does not try again, and no record of this process is logged ever after.
    private static void readTimeZone() {
        var _ = ZoneId.systemDefault();
    }

    /// From now on connections for this purpose are welcome.
    ///
    /// @param admission may refuse one
    /// @param handler gets the proved connection, on its own thread, and owns it; when it throws,
    ///   the connection is closed
    public void serve(Purpose purpose, Admission admission, Consumer<Proved> handler) {
        served.put(purpose, new Served(admission, handler));
    }

    /// A path that came in another way: treated as any other.
    public void visit(Path path) {
        welcome(path);
    }

    /// The handshake of whoever listens here.
    public Handshake handshake() {
        return handshake;
    }

    /// Proves a connection whose other end begins, although nobody came in with it: it is handed to
    /// who serves its purpose when it is taken.
    public Check<Proved> check(NodeId peer) {
        return path -> {
            var proof = handshake.respond(path, admission(path));
            if (!proof.peer().equals(peer)) {
                throw new WrongNode(peer, proof.peer());
            }
            return () -> {
                handOver(proof, String.valueOf(path.remote()));
                return proof;
            };
        };
    }

    /// From now on who asks for his address is told of another port to ask at: who is seen to come
    /// from two ports is behind a NAT that takes another one for each one spoken to.
    public void observesToo(Listener other) {
        preamble.otherPort(other.port());
    }

    /// Expects a connection that somebody was asked to make.
    public Expected expect() {
        return preamble.expect();
    }

    /// The port it listens on.
    public int port() {
        return acceptors.getFirst().address().getPort();
    }

    /// Where others may reach it, best first: all addresses of this machine when open (private ones
    /// first), else the loopback addresses.
    public List<InetSocketAddress> addresses() {
        if (open) {
            try {
                var usable = LocalAddresses.usable();
                if (!usable.isEmpty()) {
                    return usable.stream()
                            .map(address -> new InetSocketAddress(address, port()))
                            .toList();
                }
            } catch (IOException e) {
                complaints.say(
                        Level.WARNING, "the addresses of this machine cannot be listed: " + e);
            }
            return AddressFamilies.loopbacks().stream()
                    .limit(1)
                    .map(address -> new InetSocketAddress(address, port()))
                    .toList();
        }
        return acceptors.stream().map(TcpAcceptor::address).toList();
    }

    /// What became of the connections so far.
    public Tally tally() {
        return new Tally(accepted.sum(), proved.sum(), failed.sum(), dropped.sum());
    }

    /// Listens no more, and the port is free when this returns; connections that were handed over
    /// live on.
    @Override
    public void close() {
        closed = true;
        preamble.close();
        acceptors.forEach(TcpAcceptor::close);
        pending.close();
    }

    private void startAccepting(TcpAcceptor acceptor) {
        tasks.attend("accept " + acceptor.address(), () -> accept(acceptor));
    }

    private void accept(TcpAcceptor acceptor) {
        try {
            while (!closed) {
                welcome(acceptor.accept());
            }
        } catch (ClosedChannelException _) {
            // closed, as asked
        } catch (IOException e) {
            if (!closed) {
                comeBack(acceptor, e);
            }
        }
    }

    // No file descriptors, most likely. Even a logger may need one: so the oldest unproved
    // connections give theirs first, and the complaint comes last.
    private void comeBack(TcpAcceptor acceptor, IOException why) {
        pending.dropQuarter();
        tasks.after(
                PAUSE,
                "accept again",
                () -> {
                    startAccepting(acceptor);
                    complaints.say(
                            Level.WARNING,
                            "a connection could not be accepted for a moment: " + why);
                });
    }

    private void welcome(Path path) {
        accepted.increment();
        if (pending.enter(path)) {
            tasks.attend("handshake", () -> handshake(path));
        }
    }

    private static boolean isUsual(HandshakeFailed why) {
        return why instanceof HandshakeDropped
                || (why instanceof HandshakeRefused refused && refused.isUsual());
    }

    private void handshake(Path path) {
        var from = String.valueOf(path.remote());
        try {
            var peer = handshake.respond(path, admission(path), preamble);
            pending.leave(path);
            if (peer.isPresent()) {
                proved.increment();
                handOver(peer.get(), from);
            }
        } catch (HandshakeFailed e) {
            if (pending.leave(path)) {
                dropped.increment();
                complaints.say(
                        Level.WARNING,
                        "connection from "
                                + from
                                + " closed: of those from the address with the most it had proved nothing for longest, and newer ones needed its room");
            } else {
                failed.increment();
                if (isUsual(e)) {
                    LOG.log(Level.DEBUG, "connection from {0} closed: {1}", from, e.getMessage());
                } else if (!closed) {
                    complaints.say(
                            Level.WARNING,
                            "connection from " + from + " closed: " + e.getMessage());
                }
            }
        } catch (RuntimeException | Error e) {
            // a fault of ours, or no class could be loaded for want of file descriptors
            pending.leave(path);
            failed.increment();
            path.close();
            throw e;
        }
    }

    private Admission admission(Path path) {
        return (claimed, hello) -> judge(claimed, hello, path);
    }

    private Verdict judge(NodeKey claimed, Hello hello, Path path) {
        if (hello.purpose().byDatagrams() != path instanceof DatagramPath) {
            return new Refused(
                    Refusal.PURPOSE,
                    "connections for purpose " + hello.purpose() + " are not of this kind");
        }
        var who = served.get(hello.purpose());
        return who == null
                ? new Refused(
                        Refusal.PURPOSE,
                        "connections for purpose " + hello.purpose() + " are not served here")
                : who.admission.judge(claimed, hello);
    }

    private void handOver(Proved peer, String from) {
        var who = served.get(peer.hello().purpose());
        try {
            if (who != null) {
                who.handler.accept(peer);
            }
        } catch (RuntimeException e) {
            LOG.log(
                    Level.ERROR,
                    "connection of node "
                            + peer.peer()
                            + " from "
                            + from
                            + " closed: its handler failed",
                    e);
            peer.path().close();
        }
    }
}
