package org.ibidem.service;

import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.ibidem.buffer.BufferPool;
import org.ibidem.config.NotationException;
import org.ibidem.link.Catalog;
import org.ibidem.link.LinkBroken;
import org.ibidem.link.Stack;
import org.ibidem.link.Tasks;
import org.ibidem.service.Acceptor.No;
import org.ibidem.service.Acceptor.Receiver;
import org.ibidem.service.Acceptor.Yes;
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
    private static final Duration LAST_WORDS = Duration.ofSeconds(1);
    private static final int TRIES = 3;

    /// Links that one peer asked for and has not connected to yet.
    private static final int MOST_AWAITED = 256;

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
    private final Map<String, DataLink> links = new ConcurrentHashMap<>();
    private final Map<Numbered, OutChannel> outgoing = new ConcurrentHashMap<>();

    private record Numbered(NodeId peer, int channel) {}

    /// Channels of the node whose service links these are.
    public Channels(NodeId me, Peers peers, Catalog catalog, Tasks tasks) {
        this.me = me;
        this.peers = peers;
        this.catalog = catalog;
        this.tasks = tasks;
        this.meetings = new Meetings(peers, tasks);
        peers.serve(Peers.OPEN, this::open);
        peers.serve(Peers.CLOSE, this::close);
        peers.neededWhile(peer -> links.values().stream().anyMatch(link -> link.peer.equals(peer)));
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
            links.put(mine.key, mine);
            try {
                var answer = ask(mine, new Open(kind, mine.key, i > 0, mine.stack, request), limit);
                return use(chosen(answer.key(), mine, stack), answer.number());
            } catch (LinkBroken e) {
                last = e;
            } finally {
                if (mine.isBroken() || !mine.isBuilt()) {
                    links.remove(mine.key);
                    mine.failed(new LinkBroken("it was not needed")); // somebody may wait for it
                }
            }
        }
        throw last;
    }

    /// The link the peer chose: the one it was asked for, or one that is there and fits.
    private DataLink chosen(String key, DataLink mine, Stack stack) {
        if (key.equals(mine.key)) {
            return build(mine, stack);
        }
        var link = links.get(key);
        if (link == null || !link.peer.equals(mine.peer) || !link.stack.equals(mine.stack)) {
            throw new LinkBroken("the link that node " + mine.peer.brief() + " chose is gone");
        }
        return link;
    }

    private Opened ask(DataLink mine, Open open, Duration limit) {
        var answer = Opened.decode(peers.request(mine.peer, Peers.OPEN, open.encode(), limit));
        if (!answer.accepted()) {
            throw new ChannelRefused(answer.number(), answer.why());
        }
        return answer;
    }

    private OutChannel use(DataLink link, int number) {
        var out = new OutChannel(this, link, link.link(BUILD_LIMIT).sink(), number);
        link.take(out, FREE_LIMIT);
        outgoing.put(new Numbered(link.peer, number), out);
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
            return link;
        } catch (IOException | RuntimeException e) {
            link.failed(e);
            links.remove(link.key);
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
        int number = numbers.incrementAndGet();
        var free = open.fresh() ? null : promised(peer, stack.toString());
        if (free != null) {
            tasks.start("attach a channel", () -> attach(free, number, receiver));
            return Opened.yes(free.key, number);
        }
        if (links.values().stream().filter(link -> link.awaits(peer)).count() >= MOST_AWAITED) {
            receiver.failed("too many links are being made");
            return Opened.no(
                    ChannelRefused.NO_LINK,
                    MOST_AWAITED + " links that you asked for are not made yet; try again");
        }
        var link = new DataLink(open.key(), peer, stack.toString(), false);
        link.promise();
        if (links.putIfAbsent(link.key, link) != null) {
            receiver.failed("its key is in use");
            return Opened.no(ChannelRefused.NO_LINK, "the key " + open.key() + " is in use");
        }
        meetings.expect(link);
        tasks.start("accept a data link", () -> buildAndAttach(link, stack, number, receiver));
        return Opened.yes(link.key, number);
    }

    /// A link whose direction towards us is free, now ours to give. One that this end is still
    /// asking for counts only when our id is the smaller: else both ends would wait for the
    /// other's. Whether the peer wants that one must be known before it is promised.
    private @Nullable DataLink promised(NodeId peer, String stack) {
        for (var link : links.values()) {
            boolean usable = link.isBuilt() || (link.active && me.compareTo(peer) < 0);
            if (usable
                    && link.peer.equals(peer)
                    && link.stack.equals(stack)
                    && link.promise()
                    && link.made(BUILD_LIMIT)) {
                return link;
            }
        }
        return null;
    }

    private void buildAndAttach(DataLink link, Stack stack, int number, Receiver receiver) {
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
        attach(link, number, receiver);
    }

    private void attach(DataLink link, int number, Receiver receiver) {
        try {
            var incoming = new InChannel(this, link, link.link(BUILD_LIMIT).source(), number);
            link.use(incoming);
            receiver.attach(incoming);
        } catch (LinkBroken e) {
            link.freeIncoming();
            receiver.failed(String.valueOf(e.getMessage()));
            tellClosed(link.peer, number, String.valueOf(e.getMessage()));
        }
    }

    /// The receiver of one of our channels wants no more.
    private byte[] close(NodeId peer, byte[] message) {
        var close = Close.decode(message);
        var out = outgoing.get(new Numbered(peer, close.channel()));
        if (out != null) {
            out.over(close.why());
            out.ring();
        }
        return Peers.NOTHING;
    }

    void tellClosed(NodeId peer, int channel, String why) {
        peers.tell(peer, Peers.CLOSE, new Close(channel, why).encode());
    }

    void free(DataLink link) {
        link.freeIncoming();
        var gone = link.goneBecause();
        if (gone != null) {
            broken(link, gone);
        }
        whenIdle(link);
    }

    void detached(OutChannel out, boolean ended) {
        outgoing.remove(new Numbered(out.peer(), out.id()));
        out.link().letGo(out);
        if (ended) {
            whenIdle(out.link());
        } else {
            broken(out.link(), "this end gave its other direction up");
        }
    }

    void broken(DataLink link, String why) {
        links.remove(link.key);
        link.close(why);
    }

    private void whenIdle(DataLink link) {
        if (link.idle()) {
            tasks.after(
                    IDLE,
                    "close an idle link",
                    () -> {
                        if (link.idle() && link.promise()) {
                            broken(link, "it was idle");
                        }
                    });
        }
    }

    /// The peer is dead: whoever waits for it is told, without waiting here for any of them.
    ///
    /// @param why for people
    public void gone(NodeId peer, String why) {
        for (var link : links.values()) {
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
        try {
            awaitIdle();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // then at once
        }
        for (var link : links.values()) {
            broken(link, "the node was closed");
        }
    }

    private void awaitIdle() throws InterruptedException {
        long deadline = tasks.nanoTime() + LAST_WORDS.toNanos();
        for (var link : links.values()) {
            link.awaitIdle(tasks, deadline);
        }
    }
}
