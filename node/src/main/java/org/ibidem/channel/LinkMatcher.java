package org.ibidem.channel;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
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
    private static final int MOST_LATELY = 1_024;

    /// Behind the key where a link adds a connection to its first, which it may overtake.
    static final String ADDED = "+";

    private final Identity identity;
    private final NodeId me;
    private final Peers peers;
    private final Function<NodeId, Line> lines;
    private final Tasks tasks;
    private final Map<String, AwaitedPaths> expected = new ConcurrentHashMap<>();
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

    /// The connections that have come for a link that is being made, until they are taken. The two
    /// kinds do not wait for each other. Safe for several threads.
    static final class AwaitedPaths {
        private static final int MOST_WAITING = 64;

        private final DataLink link;
        private final Tasks clock;
        private final Deque<StreamPath> streams = new ArrayDeque<>();
        private final Deque<StreamPath> added = new ArrayDeque<>();
        private final Deque<DatagramPath> datagrams = new ArrayDeque<>();
        private boolean over;

        AwaitedPaths(DataLink link, Tasks clock) {
            this.link = link;
            this.clock = clock;
        }

        DataLink link() {
            return link;
        }

        /// One has come.
        ///
        /// @param adds it is a stream that has overtaken the link's first one
        /// @return false when nobody wants it
        synchronized boolean arrived(Path path, boolean adds) {
            return switch (path) {
                case StreamPath stream -> keep(adds ? added : streams, stream);
                case DatagramPath datagram -> keep(datagrams, datagram);
            };
        }

        private <P> boolean keep(Deque<P> queue, P path) {
            if (over || queue.size() == MOST_WAITING) {
                return false;
            }
            queue.add(path);
            notifyAll();
            return true;
        }

        /// Waits for a stream.
        ///
        /// @return null when none comes within `nanos`, or [#close] is called
        @Nullable StreamPath stream(long nanos) throws InterruptedException {
            return await(streams, nanos);
        }

        /// The same for datagrams.
        @Nullable DatagramPath datagrams(long nanos) throws InterruptedException {
            return await(datagrams, nanos);
        }

        private synchronized <P> @Nullable P await(Deque<P> queue, long nanos)
                throws InterruptedException {
            long end = clock.nanoTime() + nanos;
            for (long left = nanos; queue.isEmpty() && !over && left > 0; ) {
                TimeUnit.NANOSECONDS.timedWait(this, left);
                left = end - clock.nanoTime();
            }
            return queue.poll();
        }

        /// The next stream that has overtaken the first one, or null.
        synchronized @Nullable StreamPath added() {
            return added.poll();
        }

        synchronized boolean isOver() {
            return over;
        }

        /// Nobody takes any more, and who waits is told.
        synchronized void close() {
            over = true;
            streams.forEach(Path::close);
            added.forEach(Path::close);
            datagrams.forEach(Path::close);
            streams.clear();
            added.clear();
            datagrams.clear();
            notifyAll();
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
        expected.put(link.key, new AwaitedPaths(link, tasks));
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
        return first != null ? first.link() : later == null ? null : later.link;
    }

    private boolean expects(NodeId peer) {
        return expected.values().stream().anyMatch(wanted -> wanted.link().peer.equals(peer));
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
    private void late(String key, @Nullable AwaitedPaths first) {
        var later = kept.get(key);
        if (first != null && later != null) {
            for (var one = first.added(); one != null; one = first.added()) {
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
            return link.active ? dialDatagrams(link) : await(link, AwaitedPaths::datagrams);
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
        var path = link.active ? dial(link, link.key, shared) : await(link, AwaitedPaths::stream);
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

    /// Takes what has come for a link.
    private interface Taking<P> {
        @Nullable P from(AwaitedPaths awaited, long nanos) throws InterruptedException;
    }

    private <P extends Path> P await(DataLink link, Taking<P> kind) throws IOException {
        var wanted = expected.get(link.key);
        try {
            var path = wanted == null ? null : kind.from(wanted, Limit.MEET.get().toNanos());
            if (path == null) {
                throw new IOException(
                        wanted == null || wanted.isOver()
                                ? "the peer has given it up"
                                : "the peer did not connect within "
                                        + Limit.MEET.get().toSeconds()
                                        + " s");
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
