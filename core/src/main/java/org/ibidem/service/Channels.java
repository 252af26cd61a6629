package org.ibidem.service;

import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.ibidem.IbidemException;
import org.ibidem.buffer.BufferPool;
import org.ibidem.buffer.Malformed;
import org.ibidem.config.NotationException;
import org.ibidem.link.Catalog;
import org.ibidem.link.LinkBroken;
import org.ibidem.link.Stack;
import org.ibidem.link.Tasks;
import org.ibidem.service.Acceptor.No;
import org.ibidem.service.Acceptor.Receiver;
import org.ibidem.service.Acceptor.Yes;
import org.ibidem.service.ChannelMessages.Cancel;
import org.ibidem.service.ChannelMessages.Close;
import org.ibidem.service.ChannelMessages.Open;
import org.ibidem.service.ChannelMessages.Opened;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// One-way channels between this node and others: agreed on over service links, carried by data
/// links.
///
/// A data link has two directions and each serves one channel at a time. A new channel takes the
/// free direction of a link that is there, if its stack is the same: so a connection in the
/// opposite direction costs no second socket, and its acknowledgements travel with data. When two
/// nodes ask each other at the same time, the link of the smaller id is used.
public final class Channels implements AutoCloseable {
    private static final Duration BUILD_LIMIT = Duration.ofSeconds(15);
    private static final Duration IDLE = Duration.ofSeconds(10);
    private static final Duration FREE_LIMIT = Duration.ofSeconds(1);
    private static final Duration CANCEL_LIMIT = Duration.ofSeconds(2);

    /// Notes kept about channels that are not in use here yet.
    private static final int MOST_EARLY = 256;

    private static final Duration LAST_WORDS = Duration.ofSeconds(1);
    private static final int TRIES = 3;

    private static final System.Logger LOG = System.getLogger(Channels.class.getName());

    private final NodeId me;
    private final Peers peers;
    private final Meetings meetings;
    private final Catalog catalog;
    private final Tasks tasks;
    private final BufferPool pool = new BufferPool();
    private final SecureRandom random = new SecureRandom();
    private final AtomicInteger numbers = new AtomicInteger();
    private final Map<String, Acceptor> acceptors = new ConcurrentHashMap<>();
    private final LinkTable links;
    private final Map<Numbered, OutChannel> outgoing = new ConcurrentHashMap<>();

    private final Map<Asked, Accepted> accepted = new ConcurrentHashMap<>();
    private final Map<Numbered, String> early = Recent.map(MOST_EARLY);
    private volatile boolean closed;

    /// What a peer asked for, by the key it offered.
    private record Asked(NodeId peer, String key) {}

    private record Numbered(NodeId peer, int channel) {}

    /// Channels of the node whose service links these are.
    public Channels(NodeId me, Peers peers, Catalog catalog, Tasks tasks) {
        this.me = me;
        this.peers = peers;
        this.catalog = catalog;
        this.tasks = tasks;
        this.links = new LinkTable(me);
        this.meetings = new Meetings(me, peers, tasks);
        peers.serve(Peers.OPEN, this::open);
        peers.serve(Peers.CLOSE, this::close);
        peers.serve(Peers.CANCEL, this::cancel);
        peers.neededWhile(peer -> links.all().stream().anyMatch(link -> link.peer.equals(peer)));
    }

    Tasks tasks() {
        return tasks;
    }

    /// The drivers and filters there are.
    public Catalog catalog() {
        return catalog;
    }

    /// From now on channels of this kind are decided about by `acceptor`.
    public void serve(String kind, Acceptor acceptor) {
        acceptors.put(kind, acceptor);
    }

    /// Opens a channel to a peer.
    ///
    /// @param stack what its link shall be made of
    /// @throws ChannelRefused when the peer says no
    /// @throws LinkBroken when the link could not be made
    /// @throws org.ibidem.connect.Unreachable when the peer cannot be reached; with every address
    ///   tried
    public OutChannel open(NodeId peer, String kind, Stack stack, byte[] request, Duration limit) {
        LinkBroken last = new LinkBroken("no link to node " + peer.brief() + " could be made");
        for (int i = 0; i < TRIES; i++) {
            var mine = new DataLink(newKey(), peer, stack.toString(), true);
            boolean fresh = i > 0 || peer.equals(me);
            links.begin(mine, fresh);
            boolean refused = false;
            boolean used = false;
            try {
                var answer = ask(mine, new Open(kind, mine.key, fresh, mine.stack, request), limit);
                var out = use(chosen(answer.key(), mine, stack), answer.number());
                used = true;
                return out;
            } catch (ChannelRefused e) {
                refused = true;
                throw e;
            } catch (LinkBroken e) {
                last = e;
            } finally {
                if (!used && !refused) {
                    cancel(mine);
                }
                if (mine.isBroken() || !mine.isBuilt()) {
                    links.remove(mine);
                    mine.failed(new LinkBroken("it was not needed")); // somebody may wait for it
                }
            }
        }
        throw last;
    }

    /// The link the peer chose: the one it was asked for, or one that is there and fits.
    private DataLink chosen(String key, DataLink mine, Stack stack) {
        if (key.equals(mine.key)) {
            mine.agree();
            return build(mine, stack);
        }
        var link = links.get(key);
        if (link == null || !link.peer.equals(mine.peer) || !link.stack.equals(mine.stack)) {
            throw new LinkBroken("the link that node " + mine.peer.brief() + " chose is gone");
        }
        return link;
    }

    /// Whether the peer said yes is not always known here: it must not keep a place for nobody.
    private void cancel(DataLink mine) {
        try {
            var message = new Cancel(mine.key).encode();
            if (mine.peer.equals(me)) {
                cancel(me, message);
            } else {
                peers.request(mine.peer, Peers.CANCEL, message, CANCEL_LIMIT);
            }
        } catch (IbidemException e) {
            LOG.log(System.Logger.Level.DEBUG, "a channel was not cancelled: {0}", e.getMessage());
        }
    }

    /// The peer gave up what it had asked for under this key.
    private byte[] cancel(NodeId peer, byte[] message) {
        var given = accepted.get(new Asked(peer, Cancel.decode(message).key()));
        if (given != null) {
            given.cancel();
        }
        return Peers.NOTHING;
    }

    private Opened ask(DataLink mine, Open open, Duration limit) {
        var question = open.encode();
        var answer =
                decoded(
                        mine.peer,
                        mine.peer.equals(me)
                                ? open(me, question)
                                : peers.request(mine.peer, Peers.OPEN, question, limit));
        if (!answer.accepted()) {
            throw new ChannelRefused(answer.number(), answer.why());
        }
        return answer;
    }

    private static Opened decoded(NodeId peer, byte[] answer) {
        try {
            return Opened.decode(answer);
        } catch (Malformed e) {
            throw new ServiceFailed(
                    "node " + peer.brief() + " answered with garbage: " + e.getMessage(), e);
        }
    }

    private OutChannel use(DataLink link, int number) {
        var out = new OutChannel(this, link, link.link(BUILD_LIMIT).sink(), number);
        link.take(out, FREE_LIMIT);
        var numbered = new Numbered(link.peer, number);
        outgoing.put(numbered, out);
        var why = early.remove(numbered);
        if (why != null) {
            out.over(why);
        }
        return out;
    }

    private String newKey() {
        var bytes = new byte[ChannelMessages.KEY / 2];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /// Makes this end of a link. A failure is told to whoever waits for the link, and thrown.
    private DataLink build(DataLink link, Stack stack) {
        try {
            link.complete(stack.build(meetings.lower(link), pool));
            if (closed) {
                broken(link, "the node was closed");
            }
            return link;
        } catch (Error e) {
            link.failed(e);
            links.remove(link);
            throw e;
        } catch (IOException | RuntimeException e) {
            link.failed(e);
            links.remove(link);
            throw new LinkBroken(
                    "no '" + link.stack + "' to node " + link.peer.brief() + ": " + e.getMessage(),
                    e);
        }
    }

    /// The peer wants a channel to us.
    private byte[] open(NodeId peer, byte[] message) {
        var open = Open.decode(message);
        var acceptor = acceptors.get(open.kind());
        if (acceptor == null) {
            return Opened.no(
                            ChannelRefused.NO_SUCH_KIND,
                            "nobody at node "
                                    + me.brief()
                                    + " takes channels of kind '"
                                    + open.kind()
                                    + "'")
                    .encode();
        }
        Stack stack;
        try {
            stack = Stack.parse(open.stack(), catalog);
        } catch (NotationException e) {
            return Opened.no(
                            ChannelRefused.NO_LINK,
                            "node " + me.brief() + " cannot make the stack: " + e.getMessage())
                    .encode();
        }
        return switch (acceptor.answer(peer, open.stack(), open.request())) {
            case No no -> Opened.no(no.code(), no.why()).encode();
            case Yes yes -> accept(peer, open, stack, yes.receiver()).encode();
        };
    }

    private Opened accept(NodeId peer, Open open, Stack stack, Receiver receiver) {
        var given = new Accepted(new Asked(peer, open.key()), numbers.incrementAndGet(), receiver);
        var fresh = new DataLink(open.key(), peer, stack.toString(), false);
        var link = links.promised(fresh, open.fresh(), () -> meetings.expect(fresh));
        if (link == null) {
            var why =
                    links.get(fresh.key) != null
                            ? "the key " + fresh.key + " is in use"
                            : "too many links you asked for are not made yet; try again";
            receiver.failed(why);
            return Opened.no(ChannelRefused.NO_LINK, why);
        }
        given.on(link);
        if (link.equals(fresh)) {
            tasks.start("accept a data link", () -> buildAndAttach(link, stack, given));
        } else {
            given.attach();
        }
        return Opened.yes(link.key, given.number);
    }

    private void buildAndAttach(DataLink link, Stack stack, Accepted given) {
        try {
            build(link, stack);
        } catch (LinkBroken e) {
            LOG.log(
                    System.Logger.Level.DEBUG,
                    "a link that a peer wanted was not made: {0}",
                    e.getMessage());
        } finally {
            meetings.over(link);
        }
        given.attach();
    }

    /// A channel that this node said yes to, until it is over.
    private final class Accepted {
        private final Asked asked;
        private final int number;
        private final Receiver receiver;
        private @Nullable DataLink link;
        private @Nullable InChannel incoming;
        private boolean over;

        Accepted(Asked asked, int number, Receiver receiver) {
            this.asked = asked;
            this.number = number;
            this.receiver = receiver;
        }

        void on(DataLink mine) {
            link = mine;
            accepted.put(asked, this);
        }

        /// The link is made, or failed.
        void attach() {
            var mine = Objects.requireNonNull(link);
            try {
                var source = mine.link(BUILD_LIMIT).source();
                synchronized (this) {
                    if (!over) {
                        var in = new InChannel(Channels.this, mine, source, number);
                        in.whenOver(() -> accepted.remove(asked, this));
                        incoming = in;
                        mine.use(in);
                        receiver.attach(in);
                    }
                }
            } catch (LinkBroken e) {
                fail(mine, String.valueOf(e.getMessage()));
                tellClosed(mine.peer, number, String.valueOf(e.getMessage()));
            }
        }

        private synchronized void fail(DataLink mine, String why) {
            accepted.remove(asked, this);
            if (!over) {
                over = true;
                mine.freeIncoming();
                receiver.failed(why);
            }
        }

        /// The peer gave it up unused. A link it no longer has is of no use here either.
        void cancel() {
            var mine = Objects.requireNonNull(link);
            InChannel in;
            synchronized (this) {
                in = incoming;
                over = over || in != null;
            }
            if (in == null) {
                fail(mine, "the peer gave it up");
                if (!mine.isBuilt()) {
                    mine.failed(new LinkBroken("the peer gave it up"));
                    links.remove(mine);
                }
                return;
            }
            accepted.remove(asked, this);
            receiver.cancelled(in);
            if (mine.outgoingIsFree()) {
                broken(mine, "the peer does not have it any more");
            }
            mine.freeIncoming();
        }
    }

    /// The receiver of one of our channels wants no more.
    private byte[] close(NodeId peer, byte[] message) {
        var close = Close.decode(message);
        var out = outgoing.get(new Numbered(peer, close.channel()));
        if (out != null) {
            out.over(close.why());
            out.ring();
        } else {
            early.put(new Numbered(peer, close.channel()), close.why());
        }
        return Peers.NOTHING;
    }

    boolean tellClosed(NodeId peer, int channel, String why) {
        var message = new Close(channel, why).encode();
        if (peer.equals(me)) {
            tasks.start("close a channel", () -> close(me, message));
            return true;
        }
        return peers.tell(peer, Peers.CLOSE, message);
    }

    void free(DataLink link) {
        link.usedAt(tasks.nanoTime());
        link.freeIncoming();
        var gone = link.goneBecause();
        if (gone != null) {
            broken(link, gone);
        }
        whenIdle(link);
    }

    void detached(OutChannel out, boolean ended) {
        outgoing.remove(new Numbered(out.peer(), out.id()));
        out.link().usedAt(tasks.nanoTime());
        out.link().letGo(out);
        if (ended) {
            whenIdle(out.link());
        } else if (out.link().goneBecause() == null || out.link().idle()) {
            broken(out.link(), "this end gave its other direction up");
        }
    }

    void broken(DataLink link, String why) {
        links.remove(link);
        link.close(why);
    }

    private void whenIdle(DataLink link) {
        if (link.idle()) {
            tasks.after(IDLE, "close an idle link", () -> retire(link));
        }
    }

    private void retire(DataLink link) {
        if (link.retire(tasks.nanoTime(), IDLE.toNanos())) {
            broken(link, "it was idle");
        }
    }

    /// The peer is dead: whoever waits for it is told, without waiting here for any of them.
    ///
    /// @param why for people
    public void gone(NodeId peer, String why) {
        for (var link : links.all()) {
            if (link.peer.equals(peer)) {
                tasks.start("end a dead node's link", () -> gone(link, why));
            }
        }
    }

    private void gone(DataLink link, String why) {
        if (!link.gone(why)) {
            broken(link, why);
        }
    }

    /// Data links there are now.
    public int links() {
        return links.size();
    }

    /// Ends all links, once what peers still send has been read and dropped, for which they get a
    /// second altogether: a kernel that closes a socket over bytes nobody read also drops what this
    /// node sent last and the peer has not read yet.
    @Override
    public void close() {
        closed = true;
        try {
            awaitIdle();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // then at once
        }
        for (var link : links.all()) {
            broken(link, "the node was closed");
        }
    }

    private void awaitIdle() throws InterruptedException {
        long deadline = tasks.nanoTime() + LAST_WORDS.toNanos();
        for (var link : links.all()) {
            link.awaitIdle(tasks, deadline);
        }
    }
}
