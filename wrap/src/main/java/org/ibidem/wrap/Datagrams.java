package org.ibidem.wrap;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
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
import org.jspecify.annotations.Nullable;

/// Datagrams between wrapped programs. To an address that stands for a rank a program sends by the
/// kernel; there the agent has a socket, and each of the program's sockets that sends there is a
/// [DatagramFlow] to the rank. At the other end a flow comes out of a socket at the address of the
/// rank it comes from, with the port that the sender's has there, so the program sees who sent as
/// by any network, and answers, or sends there by itself, by the kernel, too.
final class Datagrams implements AutoCloseable {
    static final String NAME = "wrap/datagrams";

    /// Ports of ranks that programs here send to, or are sent to from.
    private static final int MOST_PORTS = 1_024;

    /// Flows of one peer, in both directions.
    private static final int MOST_FLOWS = 4_096;

    private static final InetAddress LOCAL = InetAddress.ofLiteral("127.0.0.1");
    private static final int BACKLOG = 128;
    private static final int LARGEST = 0xFFFF;
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final Node node;
    private final String stack;
    private final Complaints complaints;
    private @Nullable VLinkListener listener;

    /// By their address here; the one that was used least lately comes first.
    private final Map<InetSocketAddress, Port> ports = new LinkedHashMap<>(64, 0.75f, true);

    private final Map<Integer, InetSocketAddress> received = new ConcurrentHashMap<>();
    private final PeerRoom room;
    private boolean closed;

    /// That there are too many ports has been said.
    private boolean full;

    Datagrams(Node node, String stack) {
        this.node = node;
        this.stack = stack;
        this.complaints =
                new Complaints(
                        System.getLogger(Datagrams.class.getName()), Runtimes.of(node).tasks());
        this.room =
                new PeerRoom(
                        MOST_FLOWS,
                        "flows of datagrams with one node are carried; more are lost",
                        limit -> complaints.say(Level.WARNING, limit));
    }

    /// A port of a rank, as programs here see it.
    private final class Port {
        private final DatagramChannel channel;
        private final int rank;
        private final int number;

        /// By the address of the program's socket.
        private final Map<InetSocketAddress, DatagramFlow> flows = new ConcurrentHashMap<>();

        /// @param number what is asked for at the other end
        Port(InetSocketAddress at, int rank, int number) throws IOException {
            this.rank = rank;
            this.number = number;
            channel = DatagramChannel.open(StandardProtocolFamily.INET);
            try {
                if (at.getPort() != 0) { // a program may have it at all addresses, and not mind
                    channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
                }
                channel.bind(at);
            } catch (IOException e) {
                channel.close();
                throw e;
            }
            Thread.ofVirtual().name("datagrams").start(this::receive);
        }

        InetSocketAddress at() throws IOException {
            return (InetSocketAddress) channel.getLocalAddress();
        }

        private void receive() {
            var bytes = ByteBuffer.allocateDirect(LARGEST);
            try {
                // Not connected: a connected channel sends no empty datagram.
                while (channel.receive(bytes.clear()) instanceof InetSocketAddress from) {
                    var flow = flows.get(from);
                    flow = flow == null || flow.isOver() ? start(() -> connect(from), from) : flow;
                    if (flow != null) {
                        flow.offer(bytes.flip());
                    }
                }
            } catch (IOException _) {
                // it was closed
            } finally {
                flows.values().forEach(DatagramFlow::end);
            }
        }

        /// Begins to carry between a socket of a program and this port.
        ///
        /// @return null: there are too many, and it is dropped, as by any router that has no more
        private @Nullable DatagramFlow start(DatagramFlow.Far far, InetSocketAddress program) {
            var peer = node.member(rank).map(Member::id).orElse(null);
            if (peer == null || !room.tryTake(peer)) {
                return null;
            }
            var flow =
                    new DatagramFlow(
                            datagram -> channel.send(datagram, program),
                            over -> {
                                flows.remove(program, over);
                                room.give(peer);
                            });
            flows.put(program, flow); // before it brings anything, to which the program answers
            flow.begin(far);
            return flow;
        }

        private VioSocket connect(InetSocketAddress from) throws IOException {
            var note = number + " " + ownRank() + " " + from.getPort();
            var peer =
                    node.member(rank)
                            .map(Member::id)
                            .orElseThrow(() -> new IOException("no node has rank " + rank));
            var posted = VLinks.of(node).connect(peer, NAME, stack, note, LIMIT);
            return VioSocket.connected(posted, (int) LIMIT.toMillis());
        }

        void close() {
            try {
                channel.close();
            } catch (IOException _) {
                // it is of no more use
            }
        }
    }

    private int ownRank() {
        return node.member(node.id()).map(Member::rank).orElse(-1);
    }

    /// The port there; null where there cannot be one.
    private synchronized @Nullable Port port(InetSocketAddress at, int rank) {
        var known = ports.get(at);
        if (known != null || closed) {
            return known;
        }
        try {
            makeRoom();
            var port = new Port(at, rank, at.getPort());
            ports.put(port.at(), port);
            return port;
        } catch (IOException e) {
            complaints.say(
                    Level.WARNING,
                    "datagrams to rank %d, port %d are lost: %s"
                            .formatted(rank, at.getPort(), e.getMessage()));
            return null;
        }
    }

    /// Where there are too many, the rank that has most of them loses the one that was looked for
    /// least lately; what still comes for that makes it again.
    private void makeRoom() {
        if (ports.size() < MOST_PORTS) {
            return;
        }
        var counts = new HashMap<Integer, Integer>();
        ports.values().forEach(each -> counts.merge(each.rank, 1, Integer::sum));
        int most = Collections.max(counts.values());
        var all =
                ports.values().stream()
                        .filter(each -> counts.getOrDefault(each.rank, 0) == most)
                        .toList();
        var last = all.stream().filter(each -> each.flows.isEmpty()).findFirst();
        var port = last.orElseGet(all::getFirst);
        if (!port.flows.isEmpty() && !full) {
            full = true;
            complaints.say(
                    Level.WARNING,
                    "datagrams come from or go to more than %d ports of other nodes, %d of them of rank %d: the oldest flows end"
                            .formatted(MOST_PORTS, most, port.rank));
        }
        ports.values().remove(port);
        port.close();
    }

    // From programs here.

    /// Programs here are about to send to this address; when this returns somebody receives there.
    /// What is sent to this rank itself is the kernel's.
    ///
    /// @return whether it goes there: where a program here has the port at all addresses and keeps
    ///   it to itself, the kernel would give it that
    boolean prepare(InetSocketAddress to) {
        int rank = RankAddress.rank(to.getAddress());
        return rank < 0 || rank == ownRank() || port(to, rank) != null || isOfThisMachine(to);
    }

    /// Whether a program here receives at the address of a rank, which is that one's then.
    private static boolean isOfThisMachine(InetSocketAddress to) {
        try {
            return OpenPorts.receivesAt(to);
        } catch (IOException | UncheckedIOException _) {
            return true;
        }
    }

    // To programs here.

    /// A program here receives at this address. From a rank's, which is of IPv4, nothing is sent to
    /// one of IPv6.
    void receives(InetSocketAddress at) {
        var any = at.getAddress().isAnyLocalAddress();
        if (any || at.getAddress() instanceof Inet4Address) {
            received.put(at.getPort(), reached(at));
            listen();
        }
    }

    /// It has ended.
    void ended(InetSocketAddress at) {
        received.remove(at.getPort(), reached(at));
    }

    /// Where one is reached that receives there.
    private static InetSocketAddress reached(InetSocketAddress at) {
        var any = at.getAddress().isAnyLocalAddress();
        return any ? new InetSocketAddress(LOCAL, at.getPort()) : at;
    }

    private synchronized void listen() {
        if (listener != null || closed) {
            return;
        }
        try {
            listener = VLinks.of(node).listen(NAME, VLinks.ANY, BACKLOG);
            next(listener);
        } catch (IllegalArgumentException | VLinkFailed e) {
            complaints.say(
                    Level.WARNING,
                    "no other node sends datagrams to programs here: %s".formatted(e.getMessage()));
        }
    }

    private void next(VLinkListener from) {
        from.postAccept()
                .whenDone(posted -> {
                    try {
                        var link = posted.result();
                        next(from);
                        Thread.ofVirtual().name("datagrams").start(() -> arrive(link));
                    } catch (VLinkFailed _) {
                        // it was closed
                    }
                });
    }

    private void arrive(VLink link) {
        var to = received.get(number(link.note(), 0));
        var port = to == null ? null : from(link);
        if (to == null || port == null || port.start(() -> new VioSocket(link), to) == null) {
            link.abort("nobody receives there");
        }
    }

    /// The sender's port, as programs here see it: at the address of its rank, whatever its note
    /// says. Where a program here keeps that port to itself, it is another one.
    private synchronized @Nullable Port from(VLink link) {
        int rank = node.member(link.peer()).map(Member::rank).orElse(-1);
        int number = number(link.note(), 2);
        var address = RankAddress.of(rank);
        if (address == null || closed) {
            return null;
        }
        var at = new InetSocketAddress(address, number);
        var known = number == 0 ? null : ports.get(at);
        if (known != null) {
            return known;
        }
        try {
            makeRoom();
            var port = beside(at, rank);
            ports.put(port.at(), port);
            return port;
        } catch (IOException e) {
            complaints.say(
                    Level.WARNING,
                    "datagrams of rank %d are lost: %s".formatted(rank, e.getMessage()));
            return null;
        }
    }

    private Port beside(InetSocketAddress at, int rank) throws IOException {
        try {
            return new Port(at, rank, at.getPort());
        } catch (IOException _) {
            return new Port(new InetSocketAddress(at.getAddress(), 0), rank, at.getPort());
        }
    }

    /// A port that stands in a note; 0: none does.
    private static int number(String note, int which) {
        var words = note.split(" ", -1);
        try {
            int number = which < words.length ? Integer.parseInt(words[which]) : 0;
            return number > 0 && number <= LARGEST ? number : 0;
        } catch (NumberFormatException _) {
            return 0;
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (listener != null) {
            listener.close();
        }
        ports.values().forEach(Port::close);
    }
}
