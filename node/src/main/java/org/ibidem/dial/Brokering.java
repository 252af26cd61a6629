package org.ibidem.dial;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.ibidem.IbidemException;
import org.ibidem.accept.Listener;
import org.ibidem.accept.Observer;
import org.ibidem.buffer.ControlReader;
import org.ibidem.buffer.ControlWriter;
import org.ibidem.connect.Broker;
import org.ibidem.connect.Brokered;
import org.ibidem.connect.ConnectMethod;
import org.ibidem.connect.Expected;
import org.ibidem.connect.MethodContext;
import org.ibidem.connect.Relay;
import org.ibidem.control.Peers;
import org.ibidem.link.Datagrams;
import org.ibidem.task.Tasks;
import org.ibidem.topology.Contact;
import org.ibidem.topology.Egress;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// Has two nodes agree on how to connect, over the service link they have.
///
/// ```
/// CONNECT  | delay u32, microseconds | limit u32, milliseconds | method text | proposal bytes |
/// ```
public final class Brokering {
    private static final int LONGEST_METHOD = 32;
    private static final int LONGEST_PROPOSAL = 8 << 10;
    private static final Duration LONGEST = Duration.ofSeconds(15);
    private static final Duration LONGEST_DELAY = Duration.ofSeconds(2);

    private final Peers peers;
    private final Listener listener;
    private final List<ConnectMethod> methods;
    private final Tasks tasks;
    private volatile @Nullable Observer observer;
    private volatile Supplier<Egress> egress = () -> Egress.UNKNOWN;
    private volatile PeerReports reports = PeerReports.NONE;
    private volatile Supplier<@Nullable Relay> relay = () -> null;
    private volatile @Nullable Datagrams datagrams;

    /// For one node: it agrees on connections over the service links of `peers`.
    public Brokering(Peers peers, Listener listener, List<ConnectMethod> methods, Tasks tasks) {
        this.peers = peers;
        this.listener = listener;
        this.methods = methods;
        this.tasks = tasks;
        peers.serve(Peers.CONNECT, this::join);
    }

    /// From now on this tells from which address a connection comes.
    public void observer(Observer another) {
        observer = another;
    }

    /// From now on peers may ask this driver to begin.
    public void datagrams(Datagrams begin) {
        datagrams = begin;
    }

    /// From now on this tells how connections of this node get out.
    public void egress(Supplier<Egress> another) {
        egress = another;
    }

    /// How connections of this node get out.
    public Egress egress() {
        return egress.get();
    }

    /// From now on this tells what peers report of their networks.
    public void reports(PeerReports another) {
        reports = another;
    }

    PeerReports reports() {
        return reports;
    }

    /// From now on this carries bytes to peers that cannot be connected to; null: nobody does.
    public void relay(Supplier<@Nullable Relay> another) {
        relay = another;
    }

    /// What a method may use towards this peer when a service link may be used, too.
    public MethodContext context(NodeId peer, Duration limit) {
        return new MethodContext(tasks, limit, new Link(peer, null), relay.get(), datagrams);
    }

    /// What it may use with nobody else's help.
    MethodContext alone(Duration limit) {
        return new MethodContext(tasks, limit, null, null, datagrams);
    }

    /// What it runs things with.
    public Tasks tasks() {
        return tasks;
    }

    private byte[] join(NodeId peer, byte[] message) {
        var in = new ControlReader(message);
        var delay = Duration.ofNanos(Integer.toUnsignedLong(in.i32("delay")) * 1_000);
        var limit = Duration.ofMillis(Integer.toUnsignedLong(in.i32("limit")));
        var name = in.name("method", LONGEST_METHOD);
        var proposal = in.bytes("proposal", LONGEST_PROPOSAL);
        in.end();
        var method =
                methods.stream()
                        .filter(each -> each.name().equals(name) && each instanceof Brokered)
                        .findAny()
                        .orElseThrow(() ->
                                new IbidemException("method '" + name + "' is not known here"));
        var context =
                new MethodContext(
                        tasks,
                        least(limit, LONGEST),
                        new Link(peer, delay),
                        relay.get(),
                        datagrams);
        return ((Brokered) method)
                .join(
                        new Contact(peer, List.of(), Map.of()),
                        proposal,
                        listener.check(peer),
                        context);
    }

    private static Duration least(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    /// The service link to one peer.
    private final class Link implements Broker {
        private final NodeId peer;
        private final @Nullable Duration delay;

        /// @param delay as the peer has measured it, or null: as this node has
        Link(NodeId peer, @Nullable Duration delay) {
            this.peer = peer;
            this.delay = delay;
        }

        @Override
        public byte[] propose(String method, byte[] proposal, Duration limit) {
            var message =
                    new ControlWriter(LONGEST_PROPOSAL + 2 * LONGEST_METHOD)
                            .i32((int) (delay().toNanos() / 1_000))
                            .i32((int) limit.toMillis())
                            .text(method, LONGEST_METHOD)
                            .bytes(proposal, LONGEST_PROPOSAL)
                            .toBytes();
            return peers.request(peer, Peers.CONNECT, message, limit);
        }

        @Override
        public Duration delay() {
            return least(delay != null ? delay : peers.roundTrip(peer).dividedBy(2), LONGEST_DELAY);
        }

        @Override
        public @Nullable InetSocketAddress observe(SocketChannel socket, Duration limit)
                throws IOException {
            var somebody = observer;
            return somebody == null ? null : somebody.observe(socket, limit);
        }

        @Override
        public Egress egress() {
            return egress.get();
        }

        @Override
        public Expected expect() {
            return listener.expect();
        }
    }
}
