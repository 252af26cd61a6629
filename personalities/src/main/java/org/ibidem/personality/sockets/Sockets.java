package org.ibidem.personality.sockets;

import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketOption;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.ibidem.IbidemException;
import org.ibidem.config.NotationException;
import org.ibidem.personality.vio.VioSocket;
import org.ibidem.registry.Member;
import org.ibidem.registry.Node;
import org.ibidem.topology.NodeId;
import org.ibidem.vlink.Posted;
import org.ibidem.vlink.VLink;
import org.ibidem.vlink.VLinkListener;
import org.ibidem.vlink.VLinks;
import org.jspecify.annotations.Nullable;

/// The sockets of this JVM: by Ibidem where the rules say so.
public final class Sockets {
    private static final Duration FOREVER = Duration.ofDays(36_500);
    private static final InetAddress LOCAL = InetAddress.ofLiteral("127.0.0.1");

    /// The stack of who asks for none.
    private static final String AUTO = "auto";

    private static final Duration START = Duration.ofSeconds(30);

    /// As long as TCP mostly tries.
    private static final Duration CONNECT_LIMIT = Duration.ofMinutes(2);

    private static @Nullable Sockets current;

    private final Supplier<Node> nodes;
    private final Rules rules;
    private final LocalPorts localPorts = new LocalPorts();
    private @Nullable Neighbours neighbours;
    private Set<SocketOption<?>> options = Set.of();
    private @Nullable Node node;

    /// Sockets over this node.
    ///
    /// @param nodes asked once, when the first VLink is needed
    public Sockets(Supplier<Node> nodes, Rules rules) {
        this.nodes = nodes;
        this.rules = rules;
    }

    /// Has every `Socket` and `ServerSocket` that this JVM makes from now on follow the rules.
    ///
    /// @throws IllegalStateException when the JDK's own cannot be reached, with what to do, or when
    ///   somebody was here before
    @SuppressWarnings("deprecation") // there is no other way into programs that know nothing of it
    public static void install(Supplier<Node> nodes, Rules rules) {
        NativeSocket.check();
        var sockets = new Sockets(nodes, rules);
        become(sockets);
        try {
            Socket.setSocketImplFactory(() -> sockets.socket());
            ServerSocket.setSocketFactory(() -> sockets.server());
        } catch (IOException e) {
            throw new IllegalStateException(
                    "another program part has put its own sockets in the place of the JDK's", e);
        }
    }

    private static synchronized void become(Sockets sockets) {
        current = sockets;
    }

    /// What holds in this process: what was installed, else the rules in the property
    /// `ibidem.sockets` and a node that joins when it is needed.
    public static synchronized Sockets current() {
        var mine = current;
        if (mine == null) {
            mine = new Sockets(Agent::join, Rules.parse(System.getProperty("ibidem.sockets", "")));
            current = mine;
        }
        return mine;
    }

    /// A socket that connects, or is accepted.
    IbidemSocketImpl socket() {
        return new IbidemSocketImpl(this, false);
    }

    /// A socket that listens.
    IbidemSocketImpl server() {
        return new IbidemSocketImpl(this, true);
    }

    /// The rules.
    public Rules rules() {
        return rules;
    }

    /// What can be set on a socket of the JDK's.
    synchronized Set<SocketOption<?>> options() {
        if (options.isEmpty()) {
            try {
                options = NativeSocket.of(false).options();
            } catch (IOException _) {
                options = IbidemSocketImpl.NUMBERS.keySet();
            }
        }
        return options;
    }

    synchronized Node node() {
        var mine = node;
        if (mine == null) {
            mine = nodes.get();
            node = mine;
        }
        return mine;
    }

    /// The name of the listener that stands for a port.
    static String name(int port) {
        return "tcp/" + port;
    }

    /// Numbers for the local ends of sockets.
    public LocalPorts localPorts() {
        return localPorts;
    }

    /// Where this destination is; null: it is native.
    public Rules.@Nullable Target target(InetSocketAddress to) {
        var address = to.getAddress();
        return rules.target(
                to.getHostString(), address == null ? null : address.getAddress(), to.getPort());
    }

    /// Posts a connect.
    private Posted<VLink> post(NodeId to, String stack, int port, int localPort, Duration limit) {
        var here = InetAddress.getLoopbackAddress().getHostAddress() + " " + localPort;
        return VLinks.of(node()).connect(to, name(port), stack, here, limit);
    }

    /// Where a program of this machine listens itself on that port of that node, which an agent
    /// serves; null: it is to be reached through the node, or a stack was asked for.
    private @Nullable Beside beside(Rules.Target to, NodeId there, int port) {
        var at = to.stack().equals(AUTO) ? neighbours().listening(there, port) : null;
        if (at == null) {
            return null;
        }
        boolean everywhere = at.getAddress().isAnyLocalAddress();
        var local = everywhere ? new InetSocketAddress(LOCAL, port) : at;
        int own = node().member(node().id()).map(Member::rank).orElse(-1);
        return new Beside(local, RankAddress.of(own));
    }

    private synchronized Neighbours neighbours() {
        var mine = neighbours;
        if (mine == null) {
            mine = new Neighbours(node().id());
            neighbours = mine;
        }
        return mine;
    }

    /// How a destination is reached.
    public sealed interface Way {}

    /// By a VLink that is being connected.
    public record Carried(Posted<VLink> link) implements Way {}

    /// By the JDK's socket.
    ///
    /// @param at where somebody listens
    /// @param from what it is to be bound to before, so that who listens knows the rank; null: to
    ///   nothing
    public record Beside(InetSocketAddress at, @Nullable InetAddress from) implements Way {}

    /// Finds the way, and posts the connect where it is a VLink's.
    ///
    /// @param millis 0: without a limit
    Way way(Rules.Target to, int port, int localPort, int millis) throws IOException {
        var limit = millis == 0 ? FOREVER : Duration.ofMillis(millis);
        var there = member(to, limit);
        var beside = beside(to, there, port);
        return beside != null
                ? beside
                : new Carried(post(there, to.stack(), port, localPort, limit));
    }

    private NodeId member(Rules.Target to, Duration limit) throws IOException {
        var there = node().member(to.rank());
        if (there.isEmpty() && node().size() > to.rank()) { // perhaps it starts just now
            try {
                node().awaitMembers(node().size(), limit.compareTo(START) < 0 ? limit : START);
            } catch (IbidemException e) { // others may be missing, and this one not
                return node().member(to.rank())
                        .map(Member::id)
                        .orElseThrow(() -> noRoute(to, String.valueOf(e.getMessage()), e));
            }
            there = node().member(to.rank());
        }
        return there.map(Member::id)
                .orElseThrow(() -> noRoute(to, "there is none of that rank", null));
    }

    private NoRouteToHostException noRoute(Rules.Target to, String why, @Nullable Exception cause) {
        var none =
                new NoRouteToHostException(
                        "No route to host (rank %d of pool '%s': %s)"
                                .formatted(to.rank(), node().pool(), why));
        none.initCause(cause);
        return none;
    }

    /// Listens for VLinks to this port, over what the rules say: else over any stack, as the
    /// client's rules choose it.
    ///
    /// @throws BindException when somebody does at this node, or over that nobody can
    public VLinkListener listen(int port, int backlog) throws BindException {
        var over = rules.over(port);
        try {
            return VLinks.of(node()).listen(name(port), over, backlog);
        } catch (IllegalArgumentException | NotationException e) {
            var why =
                    new BindException(
                            over.equals(VLinks.ANY)
                                    ? "Address already in use"
                                    : "Cannot listen over '" + over + "': " + e.getMessage());
            why.initCause(e);
            throw why;
        }
    }

    /// Connects a channel of the JDK's, or begins to.
    @FunctionalInterface
    public interface ByJdk {
        /// Does it.
        void connect(Beside beside) throws IOException;
    }

    /// Begins to connect, on a thread of its own until the connect is posted.
    ///
    /// @param jdk called there before it completes, where no VLink is needed
    /// @return completes with the socket, with null where `jdk` was called, or as the JDK's sockets
    ///   fail; cancelling it gives up
    public CompletableFuture<@Nullable VioSocket> connect(
            Rules.Target to, int port, int localPort, ByJdk jdk) {
        var future = new CompletableFuture<@Nullable VioSocket>();
        Thread.ofVirtual()
                .name("connect to rank " + to.rank())
                .start(() -> connect(to, port, localPort, jdk, future));
        return future;
    }

    private void connect(
            Rules.Target to,
            int port,
            int localPort,
            ByJdk jdk,
            CompletableFuture<@Nullable VioSocket> future) {
        try {
            var way = way(to, port, localPort, (int) CONNECT_LIMIT.toMillis());
            if (way instanceof Beside beside) {
                jdk.connect(beside);
                future.complete(null);
                return;
            }
            var posted = ((Carried) way).link();
            var _ =
                    future.whenComplete((_, e) -> {
                        if (e != null) {
                            posted.cancel();
                        }
                    });
            var made = VioSocket.connected(posted, 0);
            if (!future.complete(made)) {
                made.close();
            }
        } catch (SocketTimeoutException e) { // not the program's limit: it has set none
            future.completeExceptionally(unanswered(e));
        } catch (IOException | RuntimeException | Error e) { // whoever waits must hear of it
            future.completeExceptionally(e);
        }
    }

    /// Who connected, as it has said.
    public static InetSocketAddress remote(VLink link) {
        var words = link.note().split(" ", 2);
        try {
            return new InetSocketAddress(
                    InetAddress.ofLiteral(words[0]), Integer.parseInt(words[words.length - 1]));
        } catch (IllegalArgumentException _) { // another personality, or another version, connects
            return new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
        }
    }

    /// The destination with an address: a host that only the rules know gets one that nobody else
    /// has, of those reserved by RFC 1112.
    public static InetSocketAddress known(InetSocketAddress there, Rules.Target target) {
        if (there.getAddress() != null) {
            return there;
        }
        int rank = target.rank();
        var bytes = new byte[] {(byte) 240, (byte) (rank >> 16), (byte) (rank >> 8), (byte) rank};
        try {
            var address = InetAddress.getByAddress(there.getHostString(), bytes);
            return new InetSocketAddress(address, there.getPort());
        } catch (UnknownHostException e) {
            throw new IllegalStateException("four bytes are an address", e);
        }
    }

    /// What the JDK says where nothing answers and the program has set no limit.
    private static ConnectException unanswered(SocketTimeoutException why) {
        var late = new ConnectException("Connection timed out");
        late.initCause(why);
        return late;
    }

    /// Waits for a connect.
    ///
    /// @param millis the program's limit; 0: none
    static VioSocket await(Posted<VLink> posted, int millis) throws IOException {
        try {
            return VioSocket.connected(posted, millis);
        } catch (SocketTimeoutException e) {
            posted.cancel();
            throw millis == 0 ? unanswered(e) : e;
        }
    }
}
