package org.ibidem.service;

import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;
import org.ibidem.IbidemException;
import org.ibidem.buffer.BufferPool;
import org.ibidem.buffer.Malformed;
import org.ibidem.config.Settings;
import org.ibidem.connect.Unreachable;
import org.ibidem.link.Catalog;
import org.ibidem.link.Domains;
import org.ibidem.link.FrameLink;
import org.ibidem.link.Line;
import org.ibidem.link.LinkBroken;
import org.ibidem.link.Stack;
import org.ibidem.link.Tasks;
import org.ibidem.link.Terms;
import org.ibidem.service.ChannelMessages.Accept;
import org.ibidem.service.ChannelMessages.Await;
import org.ibidem.service.ChannelMessages.Cancel;
import org.ibidem.service.ChannelMessages.Close;
import org.ibidem.service.ChannelMessages.Done;
import org.ibidem.service.ChannelMessages.Offer;
import org.ibidem.service.ChannelMessages.Open;
import org.ibidem.service.ChannelMessages.Opened;
import org.ibidem.service.ChannelMessages.Refuse;
import org.ibidem.topology.NodeId;

/// One-way channels between this node and others: agreed on over service links, carried by data
/// links.
///
/// A data link has two directions and each serves one channel at a time. A new channel takes the
/// free direction of a link that is there, if its stack is the same: so a connection in the
/// opposite direction costs no second socket, and its acknowledgements travel with data. When two
/// nodes ask each other at the same time, the link of the smaller id is used.
public final class Channels implements AutoCloseable {
    static final Duration BUILD_LIMIT = Duration.ofSeconds(15);
    private static final Duration IDLE = Duration.ofSeconds(10);
    private static final Duration FREE_LIMIT = Duration.ofSeconds(1);
    private static final Duration CANCEL_LIMIT = Duration.ofSeconds(2);

    private static final Duration LAST_WORDS = Duration.ofSeconds(1);
    private static final int TRIES = 3;

    /// For how long an answer may wait for what is not there yet.
    static final Duration MOST_PATIENCE = Duration.ofMinutes(1);

    /// The share of a time limit that is kept for the answer's way back.
    private static final int PATIENCE_PART = 8;

    private static final System.Logger LOG = System.getLogger(Channels.class.getName());

    private final NodeId me;
    private final Peers peers;
    private final Meetings meetings;
    private final Means means;
    private final Tasks tasks;
    private final BufferPool pool =
            new BufferPool(Settings.system().value("ibidem.buffer", BufferPool.SIZE));
    private final Terms terms = Terms.of(pool);
    private final SecureRandom random = new SecureRandom();
    private final LinkTable links;
    private final Answers answers;
    private final Breaks breaks;
    private final OutChannels outgoing = new OutChannels();
    private volatile boolean closed;

    /// What links are made of.
    ///
    /// @param catalog the drivers and filters there are
    /// @param domains what the drivers have at this node
    ///
    /// @param lines what is known of the line to a peer
    public record Means(Catalog catalog, Domains domains, Function<NodeId, Line> lines) {}

    /// Channels of the node with this identity, whose service links these are.
    public Channels(Identity identity, Peers peers, Means means, Tasks tasks) {
        this.me = identity.id();
        this.peers = peers;
        this.means = means;
        this.tasks = tasks;
        this.links = new LinkTable(me);
        this.meetings = new Meetings(identity, peers, means.lines, tasks);
        this.answers =
                new Answers(this, me, new Answers.Means(means.catalog, terms, links, meetings));
        this.breaks = new Breaks(peers, tasks, this::brokenAtPeer);
        peers.serve(Peers.OPEN, answers::open);
        peers.serve(Peers.CLOSE, this::close);
        peers.serve(Peers.CANCEL, answers::cancel);
        peers.serve(Peers.AWAIT, answers::await);
        peers.serve(Peers.DONE, answers.ends());
        peers.neededWhile(peer -> links.all().stream().anyMatch(link -> link.peer.equals(peer)));
    }

    Tasks tasks() {
        return tasks;
    }

    /// What the network drivers have at this node.
    public Domains domains() {
        return means.domains;
    }

    /// The drivers and filters there are.
    public Catalog catalog() {
        return means.catalog;
    }

    /// From now on channels of this kind are decided about by `acceptor`.
    public void serve(String kind, Acceptor acceptor) {
        answers.serve(kind, acceptor);
    }

    /// Something has changed that [Acceptor.Later] may have waited for.
    public void changed() {
        answers.changed();
    }

    /// Opens a channel to a peer. What is not there yet at the peer is waited for, as long as the
    /// limit allows.
    ///
    /// @param stack what its link shall be made of
    /// @throws ChannelRefused when the peer says no
    /// @throws LinkBroken when the link could not be made
    /// @throws org.ibidem.connect.Unreachable when the peer cannot be reached; with every address
    ///   tried
    public OutChannel open(NodeId peer, String kind, Stack stack, byte[] request, Duration limit) {
        long deadline = tasks.deadline(limit);
        NotYet refusal = null;
        int cutOff = 0;
        int broken = 0;
        while (true) {
            try {
                if (refusal != null) {
                    awaitChange(peer, refusal, deadline);
                }
                return attempt(peer, kind, stack, request, new Try(deadline, broken > 0));
            } catch (NotYet e) {
                refusal = e;
            } catch (LinkBroken e) {
                boolean hope = tasks.nanoTime() - deadline < 0 && !NotDirect.caused(e);
                if (!hope || ++broken == TRIES) {
                    throw e;
                }
            } catch (Unreachable e) {
                throw refusal == null ? e : ServiceFailed.vanished(peer, e);
            } catch (ServiceFailed e) {
                if (!e.isCutOff() || tasks.nanoTime() - deadline >= 0 || ++cutOff == TRIES) {
                    // what it said, not that it had no time to repeat it
                    throw refusal == null || e.isGone() ? e : refusal.told();
                }
            }
        }
    }

    /// The same for who has other stacks to try: a peer that cannot make this one counts as a link
    /// that could not be made.
    public OutChannel openOver(
            NodeId peer, String kind, Stack stack, byte[] request, Duration limit) {
        try {
            return open(peer, kind, stack, request, limit);
        } catch (ChannelRefused e) {
            if (e.code() == ChannelRefused.NO_LINK) {
                throw new LinkBroken(String.valueOf(e.getMessage()), e);
            }
            throw e;
        }
    }

    /// One attempt to open a channel.
    ///
    /// @param deadline of all attempts together
    /// @param fresh only a new link will do
    private record Try(long deadline, boolean fresh) {}

    /// The peer has not yet what was asked for.
    private static final class NotYet extends IbidemException {
        private static final long serialVersionUID = 1L;
        private final transient Refuse refuse;

        NotYet(Refuse refuse) {
            super(refuse.why());
            this.refuse = refuse;
        }

        ChannelRefused told() {
            return new ChannelRefused(refuse.code(), refuse.why());
        }
    }

    private OutChannel attempt(NodeId peer, String kind, Stack stack, byte[] request, Try how) {
        var mine = new DataLink(newKey(), peer, stack, true);
        boolean fresh = how.fresh || peer.equals(me) || mine.single;
        links.begin(mine, fresh, leftToBuild(how));
        boolean refused = false;
        boolean used = false;
        try {
            var offer = new Offer(mine.stack, stack.versions(), terms);
            var answer = ask(mine, new Open(kind, mine.key, fresh, offer, request), left(how));
            var link = chosen(answer, mine, stack);
            var out = use(link, link.link(leftToBuild(how)), answer.number());
            used = true;
            return out.of(kind);
        } catch (ChannelRefused | NotYet e) {
            refused = true;
            throw e;
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

    private Duration left(Try how) {
        return Duration.ofNanos(Math.max(1, how.deadline - tasks.nanoTime()));
    }

    private Duration leftToBuild(Try how) {
        var left = left(how);
        return left.compareTo(BUILD_LIMIT) < 0 ? left : BUILD_LIMIT;
    }

    /// Waits until the peer has changed, and so may have what was asked for.
    private void awaitChange(NodeId peer, NotYet refusal, long deadline) {
        var left = Duration.ofNanos(deadline - tasks.nanoTime());
        int patience = patience(left);
        if (patience <= 0) {
            throw refusal.told();
        }
        var message = new Await(refusal.refuse.state(), patience).encode();
        if (peer.equals(me)) {
            answers.await(me, message);
        } else {
            peers.request(peer, Peers.AWAIT, message, left);
        }
    }

    /// The peer should answer before we stop listening.
    private static int patience(Duration left) {
        long millis = left.toMillis();
        return (int) Math.min(MOST_PATIENCE.toMillis(), millis - millis / PATIENCE_PART);
    }

    /// The link the peer chose: the one it was asked for, or one that is there and fits.
    private DataLink chosen(Accept answer, DataLink mine, Stack stack) {
        var key = answer.key();
        if (key.equals(mine.key)) {
            mine.agreed(terms.with(answer.terms()));
            mine.agree();
            tasks.attend("make a link", () -> buildAside(mine, stack)); // who asked has a limit
            return mine;
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
                answers.cancel(me, message);
            } else {
                peers.request(mine.peer, Peers.CANCEL, message, CANCEL_LIMIT);
            }
        } catch (IbidemException e) {
            LOG.log(System.Logger.Level.DEBUG, "a channel was not cancelled: {0}", e.getMessage());
        }
    }

    private Accept ask(DataLink mine, Open open, Duration limit) {
        var question = open.encode();
        var answer =
                decoded(
                        mine.peer,
                        mine.peer.equals(me)
                                ? answers.open(me, question)
                                : peers.request(mine.peer, Peers.OPEN, question, limit));
        return switch (answer) {
            case Accept accept -> accept;
            case Refuse(int code, long state, String why) when state == Refuse.FOR_GOOD ->
                    throw new ChannelRefused(code, why);
            case Refuse later -> throw new NotYet(later);
        };
    }

    private static Opened decoded(NodeId peer, byte[] answer) {
        try {
            return Opened.decode(answer);
        } catch (Malformed e) {
            throw new ServiceFailed(
                    "node " + peer.brief() + " answered with garbage: " + e.getMessage(), e);
        }
    }

    private OutChannel use(DataLink link, FrameLink made, int number) {
        var out = new OutChannel(this, link, made.sink(), number);
        link.take(out, FREE_LIMIT);
        outgoing.add(out);
        return out;
    }

    private String newKey() {
        var bytes = new byte[ChannelMessages.KEY / 2];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    private void buildAside(DataLink link, Stack stack) {
        try {
            build(link, stack);
        } catch (LinkBroken e) {
            LOG.log(System.Logger.Level.DEBUG, "{0}", e.getMessage()); // the link tells it, too
        }
    }

    /// Makes this end of a link. A failure is told to whoever waits for the link, and thrown.
    DataLink build(DataLink link, Stack stack) {
        try {
            var made = stack.build(means.domains, meetings.lower(link), pool);
            if (closed) { // and looked for links before this one was begun, perhaps
                broken(link, "the node was closed");
            }
            link.madeAt(tasks.nanoTime());
            link.complete(made);
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

    /// The receiver of one of our channels wants no more.
    private byte[] close(NodeId peer, byte[] message) {
        var close = Close.decode(message);
        outgoing.close(peer, close.channel(), close.why());
        return Peers.NOTHING;
    }

    /// The frame that says END may be lost, or not be looked for: it is said otherwise as well.
    void tellDone(NodeId peer, int channel) {
        var message = new Done(channel).encode();
        if (peer.equals(me)) {
            tasks.start("end a channel", () -> answers.done(me, message));
        } else {
            peers.tell(peer, Peers.DONE, message);
        }
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
        outgoing.remove(out);
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

    /// It broke by itself: the other end may not know.
    void lost(DataLink link, String why) {
        boolean known = closed || link.isBroken() || link.goneBecause() != null;
        broken(link, why);
        if (!known && !link.peer.equals(me)) {
            breaks.tell(link.peer, link.key, why);
        }
    }

    private void brokenAtPeer(NodeId peer, String key, String why) {
        var link = links.get(key);
        if (link != null && link.peer.equals(peer)) {
            broken(link, "it broke at the other end: " + why);
        }
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
        answers.gone(peer, why);
        for (var link : links.all()) {
            if (link.peer.equals(peer)) {
                tasks.start("end a dead node's link", () -> gone(link, why));
            }
        }
    }

    private void gone(DataLink link, String why) {
        if (link.shared) {
            peers.awaitLastWords(link.peer);
        }
        if (!link.gone(why)) {
            broken(link, why);
        }
    }

    /// The peer belongs here no more, and lives: its links end at once, whatever it has sent.
    void cut(NodeId peer, String why) {
        answers.gone(peer, why);
        links.all().stream()
                .filter(link -> link.peer.equals(peer))
                .forEach(link -> tasks.start("cut a link off", () -> broken(link, why)));
    }

    /// Peers that wait for something that is not there yet, such as a port.
    public int waiting() {
        return answers.waiting();
    }

    /// Those that go to a peer now.
    List<OutChannel> to(NodeId peer) {
        return outgoing.to(peer);
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
        answers.close();
        try {
            awaitIdle(); // also those that are being made, or whose sender is still to be told
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // then at once
        }
        closed = true;
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
