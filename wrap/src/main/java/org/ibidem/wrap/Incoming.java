package org.ibidem.wrap;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.ibidem.config.AddressFamilies;
import org.ibidem.personality.sockets.Neighbours;
import org.ibidem.personality.sockets.RankAddress;
import org.ibidem.personality.vio.VioSocket;
import org.ibidem.registry.Member;
import org.ibidem.registry.Node;
import org.ibidem.registry.access.Runtimes;
import org.ibidem.task.Complaints;
import org.ibidem.vlink.VLink;
import org.ibidem.vlink.VLinkFailed;
import org.ibidem.vlink.VLinkListener;
import org.ibidem.vlink.VLinks;

/// What other nodes connect to: the ports on which wrapped programs of this one listen. The program
/// sees them come from the address of their rank.
final class Incoming implements AutoCloseable {
    /// Begins the names of listeners that say first whether the program has accepted.
    static final String WRAPPED = "wrap/";

    /// The same for programs of Java ([org.ibidem.personality.sockets]), who are told nothing.
    static final String PLAIN = "tcp/";

    private static final int BACKLOG = 128;
    private static final InetAddress LOCAL = InetAddress.ofLiteral("127.0.0.1");
    private static final InetAddress ANY = InetAddress.ofLiteral("0.0.0.0");

    private final Node node;
    private final Neighbours neighbours;
    private final Map<Integer, Port> ports = new ConcurrentHashMap<>();
    private final SourcePorts sources = SourcePorts.beside();
    private final Complaints complaints;

    /// What a peer connects beyond these waits, and what it connects beyond those is refused.
    private final PeerRoom carried;

    private final PeerRoom waiting;

    Incoming(Node node, Neighbours neighbours) {
        this.neighbours = neighbours;
        this.node = node;
        this.complaints =
                new Complaints(
                        System.getLogger(Incoming.class.getName()), Runtimes.of(node).tasks());
        Consumer<String> log = limit -> complaints.say(Level.WARNING, limit);
        this.carried =
                new PeerRoom(Bridge.MOST, "connections from one node are carried; more wait", log);
        this.waiting =
                new PeerRoom(BACKLOG, "connections from one node wait; more are refused", log);
    }

    /// A port of this node, and where on this machine somebody listens on it.
    private final class Port {
        final int number;
        volatile InetSocketAddress at;

        /// For a program that nobody tells of: it is there again when it listens again.
        volatile boolean served;

        private final VLinkListener wrapped;
        private final VLinkListener plain;

        Port(InetSocketAddress at) {
            this.number = at.getPort();
            this.at = at;
            var links = VLinks.of(node);
            this.wrapped = links.listen(WRAPPED + number, VLinks.ANY, BACKLOG);
            try {
                this.plain = links.listen(PLAIN + number, VLinks.ANY, BACKLOG);
            } catch (IllegalArgumentException | VLinkFailed e) {
                wrapped.close();
                throw e;
            }
            next(wrapped, true);
            next(plain, false);
        }

        private void next(VLinkListener listener, boolean says) {
            listener.postAccept()
                    .whenDone(posted -> {
                        try {
                            var link = posted.result();
                            Thread.ofVirtual()
                                    .name("accept")
                                    .start(() -> accept(link, listener, says));
                        } catch (VLinkFailed _) {
                            // it was closed
                        }
                    });
        }

        /// Takes the next at once: it may be another peer's, which has room.
        private void accept(VLink link, VLinkListener listener, boolean says) {
            next(listener, says);
            var peer = link.peer();
            var far = new VioSocket(link);
            if (!waiting.tryTake(peer)) {
                refuse(far, says, new SocketTimeoutException("too many wait"));
                return;
            }
            carried.take(peer);
            waiting.give(peer);
            boolean begun = false;
            try {
                begun = carry(near(link), far, says);
            } catch (IOException e) {
                refuse(far, says, e);
            } catch (RuntimeException | Error e) { // whoever connects must not wait for ever
                far.abort("it failed: " + e);
                throw e;
            } finally {
                if (!begun) {
                    carried.give(peer);
                }
            }
        }

        private boolean carry(SocketChannel near, VioSocket far, boolean says) {
            try {
                if (says) {
                    far.write(ByteBuffer.wrap(new byte[] {0}));
                }
            } catch (IOException _) { // who connected is gone
                Bridge.reset(near);
                far.abort("gone");
                return false;
            }
            var peer = far.link().peer();
            Bridge.start(VLinks.of(node), near, far.link(), () -> carried.give(peer));
            return true;
        }

        private void refuse(VioSocket far, boolean says, IOException why) {
            int error = Errors.of(why);
            if (error == Errors.REFUSED && !served) { // nobody listens any more
                close();
            }
            if (!says) {
                far.abort("Connection refused");
                return;
            }
            try {
                far.write(ByteBuffer.wrap(new byte[] {(byte) error}));
            } catch (IOException _) {
                // who connected is gone
            }
            far.close();
        }

        /// The program's end: from the address that stands for the node that connects.
        private SocketChannel near(VLink link) throws IOException {
            AddressFamilies.require(at);
            var from = node.member(link.peer()).map(Member::rank).map(RankAddress::of);
            return from.isPresent() ? sources.connect(from.get(), at) : SocketChannel.open(at);
        }

        void close() {
            if (ports.remove(number, this)) {
                neighbours.ended(number);
            }
            wrapped.close();
            plain.close();
        }
    }

    /// A program listens here.
    synchronized void listen(InetSocketAddress at) {
        boolean everywhere = at.getAddress().isAnyLocalAddress();
        var address = everywhere ? new InetSocketAddress(own(), at.getPort()) : at;
        var port = ports.get(at.getPort());
        neighbours.listens(
                at.getPort(), everywhere ? new InetSocketAddress(ANY, at.getPort()) : at);
        if (port != null) {
            port.at = address;
            return;
        }
        try {
            ports.put(at.getPort(), new Port(address));
        } catch (IllegalArgumentException | VLinkFailed e) {
            complaints.say(
                    Level.WARNING,
                    "no other node reaches port %d of a program: %s"
                            .formatted(at.getPort(), e.getMessage()));
        }
    }

    /// The address of this rank, which programs see as their own, as where nothing is carried.
    private InetAddress own() {
        int rank = node.member(node.id()).map(Member::rank).orElse(-1);
        return Objects.requireNonNullElse(RankAddress.of(rank), LOCAL);
    }

    /// A program that is not wrapped listens here, or will.
    synchronized void serve(InetSocketAddress at) {
        listen(at);
        var port = ports.get(at.getPort());
        if (port != null) {
            port.served = true;
        }
    }

    @Override
    public void close() {
        ports.values().forEach(Port::close);
        neighbours.close();
    }
}
