package org.ibidem.channel;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.ibidem.buffer.BufferPool;
import org.ibidem.channel.ChannelMessages.Broken;
import org.ibidem.channel.ChannelMessages.Close;
import org.ibidem.channel.ChannelMessages.Done;
import org.ibidem.channel.ChannelMessages.GivenUp;
import org.ibidem.channel.ChannelMessages.Retired;
import org.ibidem.config.Settings;
import org.ibidem.control.Peers;
import org.ibidem.identity.Identity;
import org.ibidem.link.Catalog;
import org.ibidem.link.FrameLink;
import org.ibidem.link.Line;
import org.ibidem.link.LinkBroken;
import org.ibidem.link.Terms;
import org.ibidem.stack.Domains;
import org.ibidem.stack.FramesOverStream;
import org.ibidem.stack.Stack;
import org.ibidem.task.Tasks;
import org.ibidem.topology.NodeId;

/// One-way channels between this node and others: agreed on over service links, carried by data
/// links.
///
/// A data link has two directions and each serves one channel at a time. A new channel takes the
/// free direction of a link that is there, if its stack is the same: so a connection in the
/// opposite direction costs no second socket, and its acknowledgements travel with data. When two
/// nodes ask each other at the same time, the link of the smaller id is used.
public final class Channels implements AutoCloseable {
    private static final Duration IDLE = Duration.ofSeconds(10);
    private static final Duration FREE_LIMIT = Duration.ofSeconds(1);

    private static final Duration LAST_WORDS = Duration.ofSeconds(1);
    private static final Duration LINGER = Duration.ofSeconds(10);

    /// For how long an answer may wait for what is not there yet.
    static final Duration MOST_PATIENCE = Duration.ofMinutes(1);

    private static final System.Logger LOG = System.getLogger(Channels.class.getName());

    private final NodeId me;
    private final Peers peers;
    private final LinkMatcher matcher;
    private final Context context;
    private final Tasks tasks;
    private final BufferPool pool =
            new BufferPool(Settings.system().value("ibidem.buffer", BufferPool.SIZE));
    private final Terms terms = FramesOverStream.terms(pool);
    private final LinkTable links;
    private final ChannelRequests requests;
    private final BrokenLinkReporter reporter;
    private final ChannelOpener opener;
    private final LingeringLinks lingering;
    private final OutChannels outgoing = new OutChannels();
    private volatile boolean closed;

    /// What links are made of.
    ///
    /// @param catalog the drivers and filters there are
    /// @param domains what the drivers have at this node
    ///
    /// @param lines what is known of the line to a peer
    public record Context(Catalog catalog, Domains domains, Function<NodeId, Line> lines) {}

    /// Channels of the node with this identity, whose service links these are.
    public Channels(Identity identity, Peers peers, Context context, Tasks tasks) {
        this.me = identity.id();
        this.peers = peers;
        this.context = context;
        this.tasks = tasks;
        this.links = new LinkTable(me);
        this.lingering = new LingeringLinks(tasks);
        this.matcher = new LinkMatcher(identity, peers, context.lines, tasks);
        this.requests =
                new ChannelRequests(
                        this,
                        me,
                        new ChannelRequests.Context(context.catalog, terms, links, matcher));
        this.opener = new ChannelOpener(this, peers, requests, links, terms);
        this.reporter = new BrokenLinkReporter(peers, tasks);
        peers.serve(Peers.OPEN, requests::open);
        peers.serve(Peers.CLOSE, this::close);
        peers.serve(Peers.CANCEL, requests::cancel);
        peers.serve(Peers.AWAIT, requests::await);
        peers.serve(Peers.DONE, requests.ends());
        peers.serve(Peers.BROKEN, this::brokenAtPeer);
        peers.serve(Peers.GIVEN_UP, requests::givenUp);
        peers.serve(Peers.RETIRED, retirements());
        peers.neededWhile(peer -> links.all().stream().anyMatch(link -> link.peer.equals(peer)));
    }

    NodeId me() {
        return me;
    }

    ChannelRequests requests() {
        return requests;
    }

    /// What it runs things with.
    public Tasks tasks() {
        return tasks;
    }

    /// What the network drivers have at this node.
    public Domains domains() {
        return context.domains;
    }

    /// The drivers and filters there are.
    public Catalog catalog() {
        return context.catalog;
    }

    /// From now on channels of this kind are decided about by `acceptor`.
    public void serve(String kind, Acceptor acceptor) {
        requests.serve(kind, acceptor);
    }

    /// Something has changed that [Acceptor.Later] may have waited for.
    public void changed() {
        requests.changed();
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
        return opener.open(peer, kind, stack, request, limit);
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

    OutChannel use(DataLink link, FrameLink made, int number) {
        var out = new OutChannel(this, link, made.sink(), number);
        link.take(out, FREE_LIMIT);
        outgoing.add(out);
        return out;
    }

    /// Makes this end of a link. A failure is told to whoever waits for the link, and thrown.
    DataLink build(DataLink link, Stack stack) {
        try {
            var made = stack.build(context.domains, matcher.lower(link), pool);
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
            tasks.start("end a channel", () -> requests.done(me, message));
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

    void detached(OutChannel out) {
        outgoing.remove(out);
        out.link().usedAt(tasks.nanoTime());
        out.link().letGo(out);
        whenIdle(out.link());
    }

    /// This end gave up a channel away from it, in the middle.
    void givenUp(OutChannel out, String why) {
        var link = out.link();
        if (!link.endsAway()) {
            leftBy(link, why);
            return;
        }
        out.over(why);
        var message = new GivenUp(out.id(), why).encode();
        if (link.peer.equals(me)) {
            tasks.start("give a channel up", () -> requests.givenUp(me, message));
        } else {
            reporter.tell(link.peer, Peers.GIVEN_UP, message, () -> lost(link, why));
        }
    }

    /// This end gave up a channel towards it, in the middle.
    void givenUp(InChannel in, String why) {
        var link = in.link();
        boolean unused = !link.endsTowards() && mayEnd(link);
        if (unused || !tellClosed(link.peer, in.id(), why)) {
            leftBy(link, why);
        }
        link.freeIncoming();
        whenIdle(link);
    }

    /// Nobody uses its other direction. Of a peer that is gone the last words may still be read.
    private void leftBy(DataLink link, String why) {
        if (link.goneBecause() == null || link.idle()) {
            lost(link, why);
        }
    }

    /// Whether the peer gives nobody the direction of the link that goes there, as it may do now
    /// where it is asked for one: it is told that it is not to.
    private boolean mayEnd(DataLink link) {
        return opener.unlessAsking(link.peer, () -> tellRetired(link.peer, link.key));
    }

    void broken(DataLink link, String why) {
        links.remove(link);
        link.close(why);
        matcher.over(link); // no connection will come for it
    }

    /// Nobody uses it any more: what it carried is still delivered.
    void finished(DataLink link, String why) {
        broken(link, why);
        lingering.add(link);
    }

    /// It broke by itself: the other end may not know.
    void lost(DataLink link, String why) {
        boolean known = closed || link.isBroken() || link.goneBecause() != null;
        broken(link, why);
        if (!known && !link.peer.equals(me)) {
            tellBroken(link, why);
        }
    }

    private void tellBroken(DataLink link, String why) {
        reporter.tell(link.peer, Peers.BROKEN, new Broken(link.key, why).encode(), () -> {});
    }

    /// This end could not make the link; the other end perhaps has. Its sender is told that the
    /// link is broken, not that the channel was closed in order.
    ///
    /// @param channel the one that this end had accepted
    void notMade(DataLink link, int channel, String why) {
        if (link.peer.equals(me)) {
            tellClosed(me, channel, why);
        } else {
            tellBroken(link, why);
        }
    }

    private byte[] brokenAtPeer(NodeId peer, byte[] message) {
        var broken = Broken.decode(message);
        requests.brokenAtPeer(peer, broken.key());
        var link = links.get(broken.key());
        if (link != null && link.peer.equals(peer)) {
            broken(link, "it broke at the other end: " + broken.why());
        }
        return Peers.NOTHING;
    }

    private void whenIdle(DataLink link) {
        if (!link.idle()) {
            return;
        }
        if (link.isHalf() || link.isRetired()) {
            retire(link);
        } else {
            retireLater(link);
        }
    }

    private void retireLater(DataLink link) {
        tasks.after(IDLE, "close an idle link", () -> retire(link));
    }

    /// What is asked of the peer from now on is asked after it has heard that: it gives away no
    /// direction of a link that is not there.
    private void retire(DataLink link) {
        if (link.isBroken()) {
            return;
        }
        if (!opener.unlessAsking(link.peer, () -> retireHere(link))) {
            retireLater(link); // the answer may name it
        } else if (link.isRetired()) {
            endRetired(link);
        }
    }

    private void endRetired(DataLink link) {
        if (link.isAwayOver()) {
            broken(link, "one of its directions was given up, and the other is over");
        } else {
            finished(link, "it was idle");
        }
    }

    private void retireHere(DataLink link) {
        if (link.retire(tasks.nanoTime(), IDLE.toNanos())) {
            tellRetired(link.peer, link.key);
        }
    }

    /// The peer gives no direction of this link away any more.
    void tellRetired(NodeId peer, String key) {
        if (!peer.equals(me)) {
            boolean _ = peers.tell(peer, Peers.RETIRED, new Retired(key).encode());
        }
    }

    private Peers.Service retirements() {
        return new Peers.Service() {
            @Override
            public void heard(NodeId peer, byte[] note) {
                var link = links.get(Retired.decode(note).key());
                if (link != null && link.peer.equals(peer)) {
                    boolean _ = link.retire();
                }
            }

            @Override
            public byte[] answer(NodeId peer, byte[] message) {
                var link = links.get(Retired.decode(message).key());
                if (link != null && link.peer.equals(peer) && link.retire()) {
                    endRetired(link);
                }
                return Peers.NOTHING;
            }
        };
    }

    /// The peer is dead: whoever waits for it is told, without waiting here for any of them.
    ///
    /// @param why for people
    public void gone(NodeId peer, String why) {
        requests.gone(peer, why);
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
    public void cut(NodeId peer, String why) {
        requests.gone(peer, why);
        links.all().stream()
                .filter(link -> link.peer.equals(peer))
                .forEach(link -> tasks.start("cut a link off", () -> broken(link, why)));
    }

    /// Peers that wait for something that is not there yet, such as a port.
    public int waiting() {
        return requests.waiting();
    }

    /// Those that go to a peer now.
    public List<OutChannel> to(NodeId peer) {
        return outgoing.to(peer);
    }

    /// Data links there are now.
    public int links() {
        return links.size();
    }

    /// As the other, within ten seconds.
    @Override
    public void close() {
        close(tasks.deadline(LINGER));
    }

    /// Ends all links, once what they carry away from here has arrived, and what peers still send
    /// has been read and dropped: a kernel that closes a socket over bytes nobody read also drops
    /// what this node sent last and the peer has not read yet. Peers get a second for that.
    public void close(long deadline) {
        requests.close();
        try {
            awaitIdle(deadline); // also those that are being made, or whose sender is to be told
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // then at once
        }
        links.all().forEach(link -> lingering.isLate(link, deadline));
        closed = true;
        for (var link : links.all()) {
            finished(link, "the node was closed");
        }
        warn(lingering.await(deadline));
    }

    private void awaitIdle(long deadline) throws InterruptedException {
        long now = tasks.nanoTime();
        long soon = now + Math.min(deadline - now, LAST_WORDS.toNanos());
        for (var link : links.all()) {
            link.awaitIdle(tasks, soon);
        }
    }

    /// Waits until what was handed on to the links arrives though this process ends.
    public void drain(long deadline) {
        var late = links.all().stream().filter(link -> lingering.isLate(link, deadline)).toList();
        warn(late);
        warn(lingering.await(deadline));
    }

    private static void warn(List<DataLink> late) {
        for (var link : late) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "node {0} has not acknowledged everything that was sent over {1}: what is"
                            + " missing may be lost",
                    link.peer.brief(),
                    link.stack);
        }
    }
}
