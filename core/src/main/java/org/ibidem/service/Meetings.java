package org.ibidem.service;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.ibidem.IbidemException;
import org.ibidem.link.Lower;
import org.ibidem.link.Tasks;
import org.ibidem.link.Terms;
import org.ibidem.topology.NodeId;

/// Gives the two ends of a data link the connections they ask for: the end that wanted the link
/// dials, the other waits for a connection that carries the link's key.
final class Meetings {
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final int MOST_WAITING = 64;

    private final NodeId me;
    private final Peers peers;
    private final Tasks tasks;
    private final Map<String, Expected> expected = new ConcurrentHashMap<>();

    private record Expected(DataLink link, LinkedBlockingQueue<SocketChannel> arrived) {}

    Meetings(NodeId me, Peers peers, Tasks tasks) {
        this.me = me;
        this.peers = peers;
        this.tasks = tasks;
        peers.serveData(this::admit, this::arrived);
        peers.serveShared(this::expects);
    }

    /// From now on connections with this link's key are welcome from its peer.
    void expect(DataLink link) {
        expected.put(link.key, new Expected(link, new LinkedBlockingQueue<>(MOST_WAITING)));
    }

    private Admission.Verdict admit(NodeKey claimed, Hello hello) {
        var wanted = expected.get(hello.token());
        if (wanted == null
                || !wanted.link.peer.equals(claimed.id())
                || !wanted.link.stack.equals(hello.stack())) {
            return new Admission.Refused(
                    Refusal.TOKEN, "no data link of this key and stack was agreed on with you");
        }
        return new Admission.Welcome();
    }

    private boolean expects(NodeId peer) {
        return expected.values().stream().anyMatch(wanted -> wanted.link.peer.equals(peer));
    }

    private void arrived(Proved connection) {
        var wanted = expected.get(connection.hello().token());
        if (wanted == null || !wanted.arrived.offer(connection.channel())) {
            close(connection.channel());
        }
    }

    Lower lower(DataLink link) {
        return new Lower() {
            @Override
            public boolean active() {
                return link.active;
            }

            @Override
            public String key() {
                return link.key;
            }

            @Override
            public SocketChannel socket() throws IOException {
                return meet(link, false);
            }

            @Override
            public SocketChannel shared() throws IOException {
                return meet(link, true);
            }

            @Override
            public Tasks tasks() {
                return tasks;
            }

            @Override
            public Terms terms() {
                return link.terms();
            }
        };
    }

    private SocketChannel meet(DataLink link, boolean shared) throws IOException {
        var channel = link.active ? dial(link, shared) : await(link);
        channel.configureBlocking(false);
        return channel;
    }

    private SocketChannel dial(DataLink link, boolean shared) throws IOException {
        if (link.peer.equals(me)) {
            return toMyself(link);
        }
        try {
            var proved =
                    shared
                            ? peers.dialShared(link.peer, link.stack, link.key, LIMIT)
                            : peers.dialData(link.peer, link.stack, link.key, LIMIT);
            return proved.channel();
        } catch (IbidemException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /// A node can prove nothing to itself, and need not: it made both ends.
    private SocketChannel toMyself(DataLink link) throws IOException {
        var wanted = expected.get(link.key);
        if (wanted == null) {
            throw new IOException("the other end of the link was given up");
        }
        try (var listening = ServerSocketChannel.open()) {
            listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            var mine = SocketChannel.open(listening.getLocalAddress());
            var theirs = listening.accept();
            while (!mine.getLocalAddress().equals(theirs.getRemoteAddress())) {
                theirs.close(); // a stranger was faster
                theirs = listening.accept();
            }
            if (!wanted.arrived.offer(theirs)) {
                theirs.close();
            }
            return mine;
        }
    }

    private SocketChannel await(DataLink link) throws IOException {
        var wanted = expected.get(link.key);
        try {
            var connection =
                    wanted == null
                            ? null
                            : wanted.arrived.poll(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
            if (connection == null) {
                throw new IOException(
                        "the peer did not connect within " + LIMIT.toSeconds() + " s");
            }
            return connection;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for the peer's connection", e);
        }
    }

    /// The link is made, or will never be: connections with its key are not welcome any more.
    void over(DataLink link) {
        var was = expected.remove(link.key);
        if (was != null) {
            for (var late = was.arrived.poll(); late != null; late = was.arrived.poll()) {
                close(late);
            }
        }
    }

    private static void close(SocketChannel socket) {
        try {
            socket.close();
        } catch (IOException e) {
            System.getLogger(Meetings.class.getName())
                    .log(System.Logger.Level.DEBUG, "closing a socket failed", e);
        }
    }
}
