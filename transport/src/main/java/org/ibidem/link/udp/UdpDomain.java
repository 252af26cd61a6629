package org.ibidem.link.udp;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.ibidem.link.DatagramPath;
import org.ibidem.link.Datagrams;
import org.ibidem.link.Domain;
import org.ibidem.link.Link;
import org.ibidem.link.Lower;
import org.ibidem.link.Reach;
import org.ibidem.task.Tasks;
import org.ibidem.topology.Contact;
import org.jspecify.annotations.Nullable;

/// One node's datagrams: the socket that all its paths share. It is opened when somebody asks where
/// it is, and read from the first path on.
final class UdpDomain implements Domain, Datagrams {
    /// What 8 bytes one way take on one host, roughly, in nanoseconds.
    private static final long COST = 8_000;

    private static final int HIGHEST_PORT = 0xFFFF;

    private final Tasks tasks;
    private final boolean open;
    private @Nullable UdpSocket socket;
    private String whyNot = "";
    private boolean closed;
    private volatile Consumer<DatagramPath> visitors = DatagramPath::close;

    UdpDomain(Tasks tasks, boolean open) {
        this.tasks = tasks;
        this.open = open;
    }

    private synchronized Optional<UdpSocket> socket() {
        if (socket == null && whyNot.isEmpty() && !closed) {
            try {
                socket = UdpSocket.open(open, tasks, path -> visitors.accept(path));
            } catch (IOException e) {
                whyNot = "no socket for datagrams can be had: " + e.getMessage();
            }
        }
        return Optional.ofNullable(socket);
    }

    /// The socket's port; the addresses are those of the node.
    @Override
    public String place() {
        return socket().map(there -> Integer.toString(there.port())).orElse("");
    }

    @Override
    public Reach reach(String there) {
        if (socket().isEmpty()) {
            return new Reach.No(whyNot());
        }
        return port(there) == 0 ? new Reach.No("it takes no datagrams") : new Reach.Yes(COST);
    }

    private synchronized String whyNot() {
        return whyNot.isEmpty() ? "this node was closed" : whyNot;
    }

    private static int port(String place) {
        try {
            int port = Integer.parseInt(place);
            return port > 0 && port <= HIGHEST_PORT ? port : 0;
        } catch (NumberFormatException _) {
            return 0;
        }
    }

    @Override
    public Link open(Lower lower, Record options) throws IOException {
        socket().orElseThrow(() -> new IOException(whyNot())).attend();
        return new UdpLink(lower.datagrams(), (Udp) options);
    }

    @Override
    public List<InetSocketAddress> addresses(Contact peer) {
        int port = port(peer.places().getOrDefault("udp", ""));
        if (port == 0) {
            return List.of();
        }
        var published =
                peer.addresses().stream()
                        .map(InetSocketAddress::getAddress)
                        .filter(Objects::nonNull)
                        .toList();
        return published.stream()
                .filter(each -> listensAt(each, published))
                .map(each -> new InetSocketAddress(each, port))
                .distinct()
                .toList();
    }

    /// Of the loopback addresses a socket that is not open has one alone, that of IPv4 where there
    /// is one, [UdpSocket#open]: at the other nobody would ever say that he is not there.
    private static boolean listensAt(InetAddress address, List<InetAddress> published) {
        return !(address instanceof Inet6Address && address.isLoopbackAddress())
                || published.stream()
                        .noneMatch(
                                each -> each instanceof Inet4Address && each.isLoopbackAddress());
    }

    @Override
    public DatagramPath begin(InetSocketAddress to) throws IOException {
        return socket().orElseThrow(() -> new IOException(whyNot())).begin(to);
    }

    @Override
    public void welcome(Consumer<DatagramPath> another) {
        visitors = another;
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (socket != null) {
            socket.close();
            socket = null;
        }
    }
}
