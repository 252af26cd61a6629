package org.ibidem.wrap;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.ibidem.personality.vio.VioSocket;
import org.ibidem.registry.Member;
import org.ibidem.registry.Node;
import org.ibidem.service.Complaints;
import org.ibidem.vlink.VLink;
import org.ibidem.vlink.VLinkFailed;
import org.ibidem.vlink.VLinkListener;
import org.ibidem.vlink.VLinks;
import org.jspecify.annotations.Nullable;

/// Datagrams between wrapped programs. To an address that stands for a rank a program sends by the
/// kernel; there the agent has a socket, and each of the program's sockets that sends there is a
/// [DatagramFlow] to the rank. At the other end a flow is a socket with the address of the rank it
/// comes from, so the program there answers by the kernel, too.
final class Datagrams implements AutoCloseable {
    static final String NAME = "wrap/datagrams";

    /// Ports of ranks that programs here send to, and ports here that programs receive on.
    private static final int MOST_PORTS = 1_024;

    /// Flows of one agent, in both directions.
    private static final int MOST_FLOWS = 4_096;

    private static final int BACKLOG = 128;
    private static final int LARGEST = 0xFFFF;
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final Node node;
    private final String stack;
    private final Complaints complaints;
    private @Nullable VLinkListener listener;
    private final Map<InetSocketAddress, Port> ports = new ConcurrentHashMap<>();
    private final Map<Integer, InetSocketAddress> received = new ConcurrentHashMap<>();
    private final Set<InetSocketAddress> arrivals = ConcurrentHashMap.newKeySet();
    private final Semaphore room = new Semaphore(MOST_FLOWS);
    private boolean closed;

    Datagrams(Node node, String stack) {
        this.node = node;
        this.stack = stack;
        this.complaints =
                new Complaints(System.getLogger(Datagrams.class.getName()), node.station().tasks());
    }

    // From programs here.

    /// A port of a rank, as programs here see it.
    private final class Port {
        private final DatagramChannel channel;
        private final int rank;
        private final int number;
        private final Map<InetSocketAddress, DatagramFlow> flows = new ConcurrentHashMap<>();

        Port(InetSocketAddress at, int rank) throws IOException {
            this.rank = rank;
            this.number = at.getPort();
            channel = DatagramChannel.open(StandardProtocolFamily.INET);
            try {
                channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
                channel.bind(at);
            } catch (IOException e) {
                channel.close();
                throw e;
            }
            Thread.ofVirtual().name("datagrams").start(this::receive);
        }

        private void receive() {
            var bytes = ByteBuffer.allocateDirect(LARGEST);
            try {
                while (channel.receive(bytes.clear()) instanceof InetSocketAddress from) {
                    var flow = flows.get(from);
                    flow = flow == null || flow.isOver() ? start(from) : flow;
                    if (flow != null) {
                        flow.offer(bytes.flip());
                    }
                }
            } catch (IOException _) {
                // it was closed
            }
        }

        private @Nullable DatagramFlow start(InetSocketAddress from) {
            if (!room.tryAcquire()) {
                return null; // as any router that has no more
            }
            var flow =
                    DatagramFlow.start(
                            this::connect,
                            datagram -> channel.send(datagram, from),
                            () -> {
                                flows.remove(from);
                                room.release();
                            });
            flows.put(from, flow);
            if (flow.isOver()) {
                flows.remove(from, flow);
            }
            return flow;
        }

        private VioSocket connect() throws IOException {
            var peer =
                    node.member(rank)
                            .map(Member::id)
                            .orElseThrow(() -> new IOException("no node has rank " + rank));
            var own = node.member(node.id()).map(Member::rank).orElse(-1);
            var note = number + " " + own;
            var posted = VLinks.of(node).connect(peer, NAME, stack, note, LIMIT);
            return VioSocket.connected(posted, (int) LIMIT.toMillis());
        }

        void close() {
            flows.values().forEach(DatagramFlow::end);
            try {
                channel.close();
            } catch (IOException _) {
                // it is of no more use
            }
        }
    }

    /// Programs here are about to send to this address; when this returns somebody receives there.
    void prepare(InetSocketAddress to) {
        int rank = Places.rank(to.getAddress());
        if (rank < 0 || arrivals.contains(to)) {
            return; // an answer to somebody who has sent to a program here
        }
        ports.computeIfAbsent(to, at -> port(at, rank));
    }

    private @Nullable Port port(InetSocketAddress at, int rank) {
        try {
            if (ports.size() >= MOST_PORTS) {
                throw new IOException("programs send to " + MOST_PORTS + " ports already");
            }
            return new Port(at, rank);
        } catch (IOException e) {
            complaints.say(
                    Level.WARNING,
                    "datagrams to rank %d, port %d are lost: %s"
                            .formatted(rank, at.getPort(), e.getMessage()));
            return null;
        }
    }

    // To programs here.

    /// A program here receives at this address.
    void receives(InetSocketAddress at) {
        if (received.size() < MOST_PORTS) {
            var any = at.getAddress().isAnyLocalAddress();
            var address = any ? InetAddress.ofLiteral("127.0.0.1") : at.getAddress();
            received.put(at.getPort(), new InetSocketAddress(address, at.getPort()));
            listen();
        }
    }

    /// It has ended.
    void ended(InetSocketAddress at) {
        received.remove(at.getPort());
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
        var to = receiver(link.note());
        if (to == null || !room.tryAcquire()) {
            link.abort("nobody receives there");
            return;
        }
        try {
            arrive(link, to);
        } catch (IOException e) {
            room.release();
            link.abort("it cannot be brought to its program: " + e.getMessage());
        }
    }

    private @Nullable InetSocketAddress receiver(String note) {
        try {
            return received.get(Integer.parseInt(note.split(" ", 2)[0]));
        } catch (NumberFormatException _) {
            return null;
        }
    }

    /// Who sends is seen under the address of its rank, whatever its note says.
    private void arrive(VLink link, InetSocketAddress to) throws IOException {
        var channel = DatagramChannel.open(StandardProtocolFamily.INET);
        var from = node.member(link.peer()).map(Member::rank).map(Places::of);
        try {
            if (from.isPresent()) {
                channel.bind(new InetSocketAddress(from.get(), 0));
            }
        } catch (IOException e) {
            channel.close();
            throw e;
        }
        var own = (InetSocketAddress) channel.getLocalAddress();
        arrivals.add(own);
        var flow =
                DatagramFlow.start(
                        () -> new VioSocket(link),
                        datagram -> channel.send(datagram, to),
                        () -> {
                            arrivals.remove(own);
                            room.release();
                            close(channel);
                        });
        Thread.ofVirtual().name("datagrams").start(() -> answer(channel, flow, to));
    }

    private void answer(DatagramChannel channel, DatagramFlow flow, InetSocketAddress to) {
        var bytes = ByteBuffer.allocateDirect(LARGEST);
        try {
            // Not connected: a connected channel sends no empty datagram.
            while (channel.receive(bytes.clear()) instanceof InetSocketAddress from) {
                if (from.equals(to)) {
                    flow.offer(bytes.flip());
                }
            }
        } catch (IOException _) {
            // it is over
        } finally {
            flow.end();
        }
    }

    private static void close(DatagramChannel channel) {
        try {
            channel.close();
        } catch (IOException _) {
            // it is of no more use
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
