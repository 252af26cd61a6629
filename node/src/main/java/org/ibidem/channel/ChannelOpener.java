package org.ibidem.channel;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import org.ibidem.IbidemException;
import org.ibidem.buffer.Malformed;
import org.ibidem.channel.ChannelMessages.Accept;
import org.ibidem.channel.ChannelMessages.Await;
import org.ibidem.channel.ChannelMessages.Cancel;
import org.ibidem.channel.ChannelMessages.Offer;
import org.ibidem.channel.ChannelMessages.Open;
import org.ibidem.channel.ChannelMessages.Opened;
import org.ibidem.channel.ChannelMessages.Refuse;
import org.ibidem.connect.Unreachable;
import org.ibidem.control.Peers;
import org.ibidem.control.ServiceFailed;
import org.ibidem.handshake.NotDirect;
import org.ibidem.link.LinkBroken;
import org.ibidem.link.Terms;
import org.ibidem.stack.Stack;
import org.ibidem.task.Tasks;
import org.ibidem.topology.NodeId;

/// Opens channels for [Channels]: asks the peer, again where it is not ready yet or a link broke,
/// and makes the link that the peer chose.
final class ChannelOpener {
    static final Duration BUILD_LIMIT = Duration.ofSeconds(15);
    private static final Duration CANCEL_LIMIT = Duration.ofSeconds(2);
    private static final int TRIES = 3;

    /// The share of a time limit that is kept for the answer's way back.
    private static final int PATIENCE_PART = 8;

    private static final System.Logger LOG = System.getLogger(Channels.class.getName());

    private final Channels channels;
    private final NodeId me;
    private final Peers peers;
    private final ChannelRequests requests;
    private final LinkTable links;
    private final Terms terms;
    private final Tasks tasks;
    private final SecureRandom random = new SecureRandom();

    /// Peers that are being asked, and how often.
    private final Map<NodeId, Integer> asking = new HashMap<>();

    ChannelOpener(
            Channels channels,
            Peers peers,
            ChannelRequests requests,
            LinkTable links,
            Terms terms) {
        this.channels = channels;
        this.me = channels.me();
        this.peers = peers;
        this.requests = requests;
        this.links = links;
        this.terms = terms;
        this.tasks = channels.tasks();
    }

    /// Opens a channel to a peer. What is not there yet at the peer is waited for, as long as the
    /// limit allows.
    ///
    /// @param stack what its link shall be made of
    /// @throws ChannelRefused when the peer says no
    /// @throws LinkBroken when the link could not be made
    /// @throws Unreachable when the peer cannot be reached; with every address tried
    OutChannel open(NodeId peer, String kind, Stack stack, byte[] request, Duration limit) {
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

    /// Runs an action unless a request to this peer is open: its answer may name an existing link.
    ///
    /// @return false: it is
    boolean unlessAsking(NodeId peer, Runnable action) {
        synchronized (asking) {
            boolean may = !asking.containsKey(peer);
            if (may) {
                action.run();
            }
            return may;
        }
    }

    private OutChannel attempt(NodeId peer, String kind, Stack stack, byte[] request, Try how) {
        synchronized (asking) {
            asking.merge(peer, 1, Integer::sum);
        }
        try {
            return asked(peer, kind, stack, request, how);
        } finally {
            synchronized (asking) {
                asking.computeIfPresent(peer, (_, count) -> count == 1 ? null : count - 1);
            }
        }
    }

    private OutChannel asked(NodeId peer, String kind, Stack stack, byte[] request, Try how) {
        var mine = new DataLink(newKey(), peer, stack, true);
        boolean fresh = how.fresh || peer.equals(me) || mine.single;
        links.begin(mine, fresh, leftToBuild(how));
        boolean refused = false;
        boolean used = false;
        try {
            var offer = new Offer(mine.stack, stack.versions(), terms);
            var answer =
                    ask(mine, new Open(kind, mine.key, fresh, offer, request), left(how.deadline));
            var link = chosen(answer, mine, stack);
            var out = channels.use(link, link.link(leftToBuild(how)), answer.number());
            used = true;
            return out.of(kind);
        } catch (ChannelRefused | NotYet e) {
            refused = true;
            throw e;
        } finally {
            if (!used && !refused) {
                cancel(mine, how.deadline);
            }
            if (!mine.isBuilt()) { // or broken since
                links.remove(mine);
                mine.failed(new LinkBroken("it was not needed")); // somebody may wait for it
            }
        }
    }

    private Duration left(long deadline) {
        return Duration.ofNanos(Math.max(1, deadline - tasks.nanoTime()));
    }

    private Duration leftToBuild(Try how) {
        var left = left(how.deadline);
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
            requests.await(me, message);
        } else {
            peers.request(peer, Peers.AWAIT, message, left);
        }
    }

    /// The peer should answer before we stop listening.
    private static int patience(Duration left) {
        long millis = left.toMillis();
        return (int) Math.min(Channels.MOST_PATIENCE.toMillis(), millis - millis / PATIENCE_PART);
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
        if (link == null) {
            channels.tellRetired(mine.peer, key); // it would choose it again
        }
        if (link == null || !link.peer.equals(mine.peer) || !link.stack.equals(mine.stack)) {
            throw new LinkBroken("the link that node " + mine.peer.brief() + " chose is gone");
        }
        return link;
    }

    /// Takes a request back, so that the peer keeps no place for it: whether it said yes is not
    /// always known here. A caller that has time left waits until the peer has heard of it.
    private void cancel(DataLink mine, long deadline) {
        long left = deadline - tasks.nanoTime();
        if (left > 0 || mine.peer.equals(me)) {
            cancelWithin(mine, Duration.ofNanos(Math.clamp(left, 1, CANCEL_LIMIT.toNanos())));
            return;
        }
        try {
            tasks.start("take back a request", () -> cancelWithin(mine, CANCEL_LIMIT));
        } catch (IllegalStateException e) { // this node is going down, and says so to all
            LOG.log(System.Logger.Level.DEBUG, "a channel was not cancelled: {0}", e.getMessage());
        }
    }

    private void cancelWithin(DataLink mine, Duration limit) {
        try {
            var message = new Cancel(mine.key).encode();
            if (mine.peer.equals(me)) {
                requests.cancel(me, message);
            } else {
                peers.request(mine.peer, Peers.CANCEL, message, limit);
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
                                ? requests.open(me, question)
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

    private String newKey() {
        var bytes = new byte[ChannelMessages.KEY / 2];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    private void buildAside(DataLink link, Stack stack) {
        try {
            channels.build(link, stack);
        } catch (LinkBroken e) {
            LOG.log(System.Logger.Level.DEBUG, "{0}", e.getMessage()); // the link tells it, too
        }
    }
}
