package org.ibidem.channel;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.ibidem.IbidemException;
import org.ibidem.accept.LoopbackPair;
import org.ibidem.config.Limit;
import org.ibidem.control.Peers;
import org.ibidem.handshake.Admission;
import org.ibidem.handshake.Hello;
import org.ibidem.handshake.Proved;
import org.ibidem.handshake.Refusal;
import org.ibidem.identity.Identity;
import org.ibidem.identity.NodeKey;
import org.ibidem.link.Credentials;
import org.ibidem.link.DatagramPath;
import org.ibidem.link.Line;
import org.ibidem.link.Lower;
import org.ibidem.link.Lower.Again;
import org.ibidem.link.Path;
import org.ibidem.link.StreamPath;
import org.ibidem.link.Terms;
import org.ibidem.peer.Course;
import org.ibidem.task.Tasks;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// Gives the two ends of a data link the connections they ask for: the end that wanted the link
/// dials, the other waits for a connection that carries the link's key.
final class LinkMatcher {
    private static final int MOST_WAITING = 64;
    private static final int MOST_LATELY = 1_024;

    /// Behind the key where a link adds a connection to its first, which it may overtake.
    static final String ADDED = "+";

    private final Identity identity;
    private final NodeId me;
    private final Peers peers;
    private final Function<NodeId, Line> lines;
    private final Tasks tasks;
    private final Map<String, Expected> expected = new ConcurrentHashMap<>();
    private final Map<String, Kept> kept = new ConcurrentHashMap<>();

    /// Those that awaited connections, by key: who tries several ways at once may come late.
    private final Map<String, Gone> lately =
            new LinkedHashMap<>() {
                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Gone> eldest) {
                    return size() > MOST_LATELY;
                }
            };

    /// A link that waits for no connection any more.
    private record Gone(NodeId peer, String stack) {}

    /// A link whose ends meet again, and who takes the connections.
    private record Kept(DataLink link, Consumer<StreamPath> arrived) {}

    /// The two kinds of path do not wait for each other.
    ///
    /// @param added streams that overtook the first
    private record Expected(
            DataLink link,
            LinkedBlockingQueue<StreamPath> streams,
            LinkedBlockingQueue<StreamPath> added,
            LinkedBlockingQueue<DatagramPath> datagrams) {
        Expected(DataLink link) {
            this(
                    link,
                    new LinkedBlockingQueue<>(MOST_WAITING),
                    new LinkedBlockingQueue<>(MOST_WAITING),
                    new LinkedBlockingQueue<>(MOST_WAITING));
        }

        boolean arrived(Path path, boolean adds) {
            return switch (path) {
                case StreamPath stream -> (adds ? added : streams).offer(stream);
                case DatagramPath datagram -> datagrams.offer(datagram);
            };
        }

        void close() {
            for (var queue : List.of(streams, added, datagrams)) {
                for (Path late = queue.poll(); late != null; late = queue.poll()) {
                    late.close();
                }
            }
        }
    }

    /// @param lines what is known of the line to a peer
    LinkMatcher(Identity identity, Peers peers, Function<NodeId, Line> lines, Tasks tasks) {
        this.lines = lines;
        this.identity = identity;
        this.me = identity.id();
        this.peers = peers;
        this.tasks = tasks;
        peers.serveData(this::admit, this::arrived);
        peers.serveShared(this::expects);
    }

    /// From now on connections with this link's key are welcome from its peer.
    void expect(DataLink link) {
        expected.put(link.key, new Expected(link));
    }

    private Admission.Verdict admit(NodeKey claimed, Hello hello) {
        var wanted = wanted(hello.token());
        if (wanted == null && wasWanted(claimed, hello)) {
            return new Admission.Refused(
                    Refusal.TOKEN, "the data link of this key no longer awaits a connection", true);
        }
        if (wanted == null
                || !wanted.peer.equals(claimed.id())
                || !wanted.stack.equals(hello.stack())) {
            return new Admission.Refused(
                    Refusal.TOKEN, "no data link of this key and stack was agreed on with you");
        }
        return new Admission.Welcome();
    }

    private boolean wasWanted(NodeKey claimed, Hello hello) {
        synchronized (lately) {
            return new Gone(claimed.id(), hello.stack()).equals(lately.get(key(hello.token())));
        }
    }

    private static String key(String token) {
        return token.endsWith(ADDED) ? token.substring(0, token.length() - ADDED.length()) : token;
    }

    /// The link of this token, if a connection for it is welcome.
    private @Nullable DataLink wanted(String token) {
        var key = key(token);
        var first = expected.get(key);
        var later = kept.get(key);
        return first != null ? first.link : later == null ? null : later.link;
    }

    private boolean expects(NodeId peer) {
        return expected.values().stream().anyMatch(wanted -> wanted.link.peer.equals(peer));
    }

    private void arrived(Proved connection) {
        var link = wanted(connection.hello().token());
        if (link != null) {
            link.readable(connection.secrecy());
            if (!connection.hello().token().endsWith(ADDED)) {
                link.said(connection.said());
            }
        }
        arrived(connection.hello().token(), connection.path());
    }

    private void arrived(String token, Path path) {
        var key = key(token);
        boolean adds = token.endsWith(ADDED);
        var later = kept.get(key);
        var wanted = expected.get(key);
        if (adds && later != null && path instanceof StreamPath stream) {
            later(later, stream);
        } else if (wanted == null || !wanted.arrived(path, adds)) {
            path.close();
        } else {
            late(key, wanted); // it may be kept since it was looked for
            if (!wanted.equals(expected.get(key))) {
                wanted.close(); // or over
            }
        }
    }

    private static void later(Kept kept, StreamPath stream) {
        try {
            stream.blocking(false);
            kept.arrived.accept(stream);
        } catch (IOException _) {
            stream.close(); // it has ended already
        }
    }

    /// Hands those on that came before anybody took them.
    private void late(String key, @Nullable Expected first) {
        var later = kept.get(key);
        if (first != null && later != null) {
            for (var one = first.added.poll(); one != null; one = first.added.poll()) {
                later(later, one);
            }
        }
    }

    private Again again(DataLink link, Consumer<StreamPath> arrived) {
        if (!link.active) {
            kept.put(link.key, new Kept(link, arrived));
            late(link.key, expected.get(link.key));
        }
        return new Again() {
            @Override
            public StreamPath stream() throws IOException {
                var path = dial(link, link.key + ADDED, false);
                path.blocking(false);
                return path;
            }

            @Override
            public void close() {
                if (!link.active) {
                    kept.remove(link.key);
                }
            }
        };
    }

    Lower lower(DataLink link) {
        return new Below(link);
    }

    /// What a link finds below it.
    private final class Below implements Lower {
        private final DataLink link;

        Below(DataLink link) {
            this.link = link;
        }

        @Override
        public boolean active() {
            return link.active;
        }

        @Override
        public String key() {
            return link.key;
        }

        @Override
        public StreamPath stream() throws IOException {
            return meet(link, false);
        }

        @Override
        public StreamPath shared() throws IOException {
            return meet(link, true);
        }

        @Override
        public Again again(Consumer<StreamPath> arrived) {
            return LinkMatcher.this.again(link, arrived);
        }

        @Override
        public DatagramPath datagrams() throws IOException {
            return link.active ? dialDatagrams(link) : await(link, Expected::datagrams);
        }

        @Override
        public Tasks tasks() {
            return tasks;
        }

        @Override
        public Terms terms() {
            return link.terms();
        }

        @Override
        public Line line() {
            return lines.apply(link.peer);
        }

        @Override
        public byte[] said() {
            return link.said();
        }

        @Override
        public Credentials credentials() {
            return identity.towards(link.peer);
        }
    }

    private StreamPath meet(DataLink link, boolean shared) throws IOException {
        var path = link.active ? dial(link, link.key, shared) : await(link, Expected::streams);
        path.blocking(false);
        return path;
    }

    private StreamPath dial(DataLink link, String token, boolean shared) throws IOException {
        if (link.peer.equals(me)) {
            return toMyself(link, token);
        }
        try {
            var proved =
                    shared
                            ? peers.dialShared(link.peer, link.stack, token, Limit.MEET.get())
                            : peers.dialData(link.peer, link.stack, token, Limit.MEET.get());
            link.goesOver(proved.path(), proved.method());
            link.readable(proved.secrecy());
            if (!token.endsWith(ADDED)) {
                link.said(proved.said());
            }
            return proved.stream();
        } catch (IbidemException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private DatagramPath dialDatagrams(DataLink link) throws IOException {
        if (link.peer.equals(me)) {
            throw new IOException("a node has no path of datagrams to itself");
        }
        try {
            var proved = peers.dialDatagrams(link.peer, link.stack, link.key, Limit.MEET.get());
            link.goesOver(proved.path(), proved.method());
            link.readable(proved.secrecy());
            link.said(proved.said());
            return (DatagramPath) proved.path();
        } catch (IbidemException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /// A node can prove nothing to itself, and need not: it made both ends.
    private StreamPath toMyself(DataLink link, String token) throws IOException {
        if (wanted(link.key) == null) {
            throw new IOException("the other end of the link was given up");
        }
        var pair = LoopbackPair.open();
        arrived(token, pair.theirs());
        link.goesOver(pair.mine(), "direct");
        return pair.mine();
    }

    private <P extends Path> P await(DataLink link, Function<Expected, BlockingQueue<P>> kind)
            throws IOException {
        var wanted = expected.get(link.key);
        try {
            var path =
                    wanted == null
                            ? null
                            : kind.apply(wanted)
                                    .poll(Limit.MEET.get().toMillis(), TimeUnit.MILLISECONDS);
            if (path == null) {
                throw new IOException(
                        "the peer did not connect within " + Limit.MEET.get().toSeconds() + " s");
            }
            link.goesOver(path, Course.ACCEPTED);
            return path;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for the peer's connection", e);
        }
    }

    /// The link is made, or will never be: connections with its key are not welcome any more.
    void over(DataLink link) {
        var was = expected.remove(link.key);
        if (was != null) {
            synchronized (lately) {
                lately.put(link.key, new Gone(link.peer, link.stack));
            }
            was.close();
        }
    }
}
