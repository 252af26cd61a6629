package org.ibidem.wrap;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.ibidem.personality.sockets.Neighbours;
import org.ibidem.personality.sockets.Rules;
import org.ibidem.registry.Node;
import org.ibidem.vlink.VLinks;

/// Carries the connections of the programs on this machine that were started by a launcher which
/// was told of it. One agent serves any number of programs.
public final class Agent implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Agent.class.getName());
    private static final int BACKLOG = 64;
    private static final InetAddress LOCAL = InetAddress.ofLiteral("127.0.0.1");

    private final ServerSocketChannel server;
    private final Path socket;
    private final Outgoing outgoing;
    private final Incoming incoming;
    private final Datagrams datagrams;
    private final Set<Launched> launched = ConcurrentHashMap.newKeySet();

    private Agent(
            ServerSocketChannel server,
            Path socket,
            Outgoing outgoing,
            Incoming incoming,
            Datagrams datagrams) {
        this.datagrams = datagrams;
        this.server = server;
        this.socket = socket;
        this.outgoing = outgoing;
        this.incoming = incoming;
    }

    /// Begins.
    ///
    /// @param node in whose name; it stays open when the agent is closed
    /// @param rules which destinations are which nodes, as
    ///   [org.ibidem.personality.sockets.Rules#parse] reads them; `127.80.0.0/16` is the ranks'
    ///   without a rule
    /// @param stack over which the ranks are reached, in the stack notation: `auto` mostly
    /// @param socket where launchers find it, in a folder of this user alone
    /// @throws IOException when it cannot listen there, or this machine has no addresses for ranks
    public static Agent start(Node node, String rules, String stack, Path socket)
            throws IOException {
        var parsed = Rules.parse(rules);
        Places.require();
        var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            Files.deleteIfExists(socket); // of one that was killed
            server.bind(UnixDomainSocketAddress.of(socket), BACKLOG);
        } catch (IOException e) {
            server.close();
            throw e;
        }
        VLinks.of(node); // who connects where nothing listens yet is refused, and does not wait
        var neighbours = new Neighbours(node.id());
        var agent =
                new Agent(
                        server,
                        socket,
                        new Outgoing(node, parsed, stack, neighbours),
                        new Incoming(node, neighbours),
                        new Datagrams(node, stack));
        Thread.ofPlatform().daemon().name("ibidem-wrap").start(agent::accept);
        return agent;
    }

    /// Has other nodes reach a program of this machine that is not wrapped. What they connect to at
    /// this port of this node is connected to who listens on it at 127.0.0.1, and comes from the
    /// address of their rank; nobody has to listen yet.
    ///
    /// @param port 1 to 65535
    public void serve(int port) {
        incoming.serve(new InetSocketAddress(LOCAL, port));
    }

    /// The same for datagrams, which are answered where they come from.
    ///
    /// @param port 1 to 65535
    public void serveDatagrams(int port) {
        datagrams.receives(new InetSocketAddress(LOCAL, port));
    }

    private void accept() {
        while (server.isOpen()) {
            try {
                serve(new Launched(server.accept(), outgoing, incoming, datagrams));
            } catch (IOException _) {
                // it was closed, which ends the loop; or the launcher is gone already
            }
        }
    }

    private void serve(Launched one) {
        launched.add(one);
        try {
            Thread.ofPlatform()
                    .daemon()
                    .name("ibidem-wrapped")
                    .start(() -> {
                        one.serve();
                        launched.remove(one);
                    });
        } catch (Error e) { // there are no more threads: its programs connect by themselves
            LOG.log(System.Logger.Level.ERROR, "a launcher is not served", e);
            launched.remove(one);
            one.close();
        }
    }

    /// Ends it. Programs go on; what they connect to from now on, the kernel connects.
    @Override
    public void close() throws IOException {
        server.close();
        launched.forEach(Launched::close);
        incoming.close();
        datagrams.close();
        Files.deleteIfExists(socket);
    }
}
