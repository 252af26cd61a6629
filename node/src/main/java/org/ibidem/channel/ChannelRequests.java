package org.ibidem.channel;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.ibidem.channel.Acceptor.Later;
import org.ibidem.channel.Acceptor.No;
import org.ibidem.channel.Acceptor.Receiver;
import org.ibidem.channel.Acceptor.Yes;
import org.ibidem.channel.ChannelMessages.Accept;
import org.ibidem.channel.ChannelMessages.Await;
import org.ibidem.channel.ChannelMessages.Cancel;
import org.ibidem.channel.ChannelMessages.Done;
import org.ibidem.channel.ChannelMessages.GivenUp;
import org.ibidem.channel.ChannelMessages.Open;
import org.ibidem.channel.ChannelMessages.Opened;
import org.ibidem.channel.ChannelMessages.Refuse;
import org.ibidem.config.NotationException;
import org.ibidem.control.Changes;
import org.ibidem.control.Peers;
import org.ibidem.control.Recent;
import org.ibidem.link.Catalog;
import org.ibidem.link.FreeNumbers;
import org.ibidem.link.LinkBroken;
import org.ibidem.link.Terms;
import org.ibidem.stack.Stack;
import org.ibidem.task.Tasks;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// Answers peers that want a channel to this node, and keeps what was promised to them.
final class ChannelRequests {
    private static final System.Logger LOG = System.getLogger(ChannelRequests.class.getName());

    private final Channels channels;
    private final NodeId me;
    private final Context context;
    private final Tasks tasks;
    private final Changes changes = new Changes();
    private final AtomicInteger waiting = new AtomicInteger();
    private final Map<String, Acceptor> acceptors = new ConcurrentHashMap<>();
    private final Map<Asked, Accepted> accepted = new ConcurrentHashMap<>();
    private final Map<Integer, Accepted> numbered = new ConcurrentHashMap<>();
    final FreeNumbers numbers = new FreeNumbers();

    /// What peers gave up before it was answered; also the lock for what is noted in both.
    private final Map<Asked, Boolean> givenUp = Recent.map(LinkTable.MOST_AWAITED);

    private final Unmade unmade = new Unmade();
    private volatile boolean closed;

    /// What a peer asked for, by the key it offered.
    private record Asked(NodeId peer, String key) {}

    /// What links are made with.
    ///
    /// @param catalog the drivers and filters there are
    /// @param terms what this node can do
    /// @param links those there are
    /// @param matcher gives them their connections
    record Context(Catalog catalog, Terms terms, LinkTable links, LinkMatcher matcher) {}

    ChannelRequests(Channels channels, NodeId me, Context context) {
        this.channels = channels;
        this.me = me;
        this.context = context;
        this.tasks = channels.tasks();
    }

    void serve(String kind, Acceptor acceptor) {
        acceptors.put(kind, acceptor);
        changed();
    }

    void changed() {
        changes.note();
    }

    void close() {
        closed = true;
        changed();
    }

    /// The peer gave up what it had asked for under this key.
    byte[] cancel(NodeId peer, byte[] message) {
        var asked = new Asked(peer, Cancel.decode(message).key());
        @Nullable Accepted given;
        synchronized (givenUp) {
            given = accepted.get(asked);
            if (given == null) {
                givenUp.put(asked, true); // it may be about to be accepted
            }
        }
        if (given != null) {
            given.cancel();
        }
        unmade.cancelled(peer, asked.key);
        return Peers.NOTHING;
    }

    /// The peer has lost a link that it had made.
    void brokenAtPeer(NodeId peer, String key) {
        var given = accepted.get(new Asked(peer, key));
        if (given != null) {
            given.leaves();
        }
        unmade.used(peer, key);
    }

    /// The peer is dead.
    void gone(NodeId peer, String why) {
        unmade.gone(peer);
        acceptors.values().forEach(each -> each.gone(peer, why));
    }

    /// The peer wants a channel to us.
    byte[] open(NodeId peer, byte[] message) {
        var open = Open.decode(message);
        return answer(peer, open).encode();
    }

    private Opened answer(NodeId peer, Open open) {
        Stack stack;
        try {
            stack = Stack.parse(open.offer().stack(), context.catalog);
        } catch (NotationException e) {
            return Refuse.forGood(
                    ChannelRefused.NO_LINK,
                    "node " + me.brief() + " cannot make the stack: " + e.getMessage());
        }
        if (!stack.versions().equals(open.offer().versions())) {
            return Refuse.forGood(
                    ChannelRefused.NO_LINK,
                    "the versions of the stack's parts differ: "
                            + stack.versions()
                            + " at node "
                            + me.brief()
                            + ", "
                            + open.offer().versions()
                            + " at yours");
        }
        long state = changes.seen();
        return switch (decide(peer, open)) {
            case No no -> Refuse.forGood(no.code(), no.why());
            case Later(No no) -> new Refuse(no.code(), state, no.why());
            case Yes yes -> accept(peer, open, stack, yes.receiver());
        };
    }

    /// The peer waits for something that is not there yet.
    byte[] await(NodeId peer, byte[] message) {
        var await = Await.decode(message);
        long patience =
                Math.min(
                        Channels.MOST_PATIENCE.toNanos(),
                        TimeUnit.MILLISECONDS.toNanos(await.patience()));
        waiting.incrementAndGet();
        try {
            if (!closed) {
                changes.await(await.state(), patience);
            }
        } finally {
            waiting.decrementAndGet();
        }
        return Peers.NOTHING;
    }

    /// The sender of a channel to us has ended it, whatever became of its last frame.
    byte[] done(NodeId peer, byte[] message) {
        var given = given(peer, Done.decode(message).channel());
        if (given != null) {
            given.done();
        }
        unmade.used(peer, Done.decode(message).channel()); // perhaps since the look above
        return Peers.NOTHING;
    }

    /// The sender of a channel to us gave it up without an end.
    byte[] givenUp(NodeId peer, byte[] message) {
        var left = GivenUp.decode(message);
        var given = given(peer, left.channel());
        if (given != null) {
            given.givenUp("its sender gave it up: " + left.why());
        }
        unmade.used(peer, left.channel());
        return Peers.NOTHING;
    }

    private @Nullable Accepted given(NodeId peer, int channel) {
        var given = numbered.get(channel);
        return given != null && given.asked.peer.equals(peer) ? given : null;
    }

    /// Who has ended a channel and asks for the next one finds its place about to be free.
    Peers.Service ends() {
        return new Peers.Service() {
            @Override
            public void heard(NodeId peer, byte[] note) {
                var given = given(peer, Done.decode(note).channel());
                if (given != null) {
                    given.leaves();
                }
            }

            @Override
            public byte[] answer(NodeId peer, byte[] message) {
                return done(peer, message);
            }
        };
    }

    /// Peers that wait for something that is not there yet.
    int waiting() {
        return waiting.get();
    }

    private Acceptor.Answer decide(NodeId peer, Open open) {
        if (closed) {
            return new No(
                    ChannelRefused.LEAVING,
                    "node " + me.brief() + " is leaving, and no longer takes channels");
        }
        var acceptor = acceptors.get(open.kind());
        return acceptor != null
                ? acceptor.answer(peer, open.offer().stack(), open.offer().terms(), open.request())
                : new Later(
                        new No(
                                ChannelRefused.NO_SUCH_KIND,
                                "nobody at node "
                                        + me.brief()
                                        + " takes channels of kind '"
                                        + open.kind()
                                        + "'"));
    }

    private Opened accept(NodeId peer, Open open, Stack stack, Receiver receiver) {
        var given =
                new Accepted(
                        new Asked(peer, open.key()), numbers.take(numbered::containsKey), receiver);
        var fresh = new DataLink(open.key(), peer, stack, false);
        fresh.agreed(context.terms.with(open.offer().terms()));
        var link = context.links.promised(fresh, open.fresh(), () -> context.matcher.expect(fresh));
        if (link == null) {
            var why =
                    context.links.get(fresh.key) != null
                            ? "the key " + fresh.key + " is in use"
                            : "too many links you asked for are not made yet; try again";
            receiver.failed(why);
            return Refuse.forGood(ChannelRefused.NO_LINK, why);
        }
        if (!given.on(link)) {
            given.cancel();
            context.matcher.over(fresh);
            return Refuse.forGood(ChannelRefused.NO_LINK, "you have given it up");
        }
        if (link.equals(fresh)) {
            tasks.attend("accept a data link", () -> buildAndAttach(link, stack, given));
        } else {
            given.attach();
        }
        return new Accept(link.key, given.number, context.terms);
    }

    private void buildAndAttach(DataLink link, Stack stack, Accepted given) {
        try {
            channels.build(link, stack);
        } catch (LinkBroken e) {
            LOG.log(
                    System.Logger.Level.DEBUG,
                    "a link that a peer wanted was not made: {0}",
                    e.getMessage());
        } finally { // also after an error: the peer's place must not be kept for nobody
            context.matcher.over(link);
            given.attach();
        }
    }

    /// A channel that this node said yes to, until it is over.
    private final class Accepted {
        private final Asked asked;
        private final int number;
        private final Receiver receiver;
        private @Nullable DataLink link;
        private volatile @Nullable InChannel incoming;
        private volatile boolean leaving;
        private boolean over;

        /// Its sender has ended it, perhaps before the link was made here.
        private boolean done;

        /// Its sender gave it up, for this reason.
        private @Nullable String leftBecause;

        Accepted(Asked asked, int number, Receiver receiver) {
            this.asked = asked;
            this.number = number;
            this.receiver = receiver;
        }

        /// Whether the peer still wants it.
        boolean on(DataLink mine) {
            link = mine;
            synchronized (givenUp) {
                accepted.put(asked, this);
                numbered.put(number, this);
                return givenUp.remove(asked) == null;
            }
        }

        /// The link is made, or failed.
        void attach() {
            var mine = Objects.requireNonNull(link);
            try {
                var source = mine.link(ChannelOpener.BUILD_LIMIT).source();
                synchronized (this) {
                    if (!over) {
                        var in = new InChannel(channels, mine, source, number);
                        in.whenOver(this::forget);
                        incoming = in;
                        if (leaving) {
                            in.leaves();
                        }
                        mine.use(in);
                        receiver.attach(in);
                        if (done) {
                            in.done();
                        }
                        if (leftBecause != null) {
                            in.givenUp(leftBecause);
                        }
                    }
                }
            } catch (LinkBroken e) {
                var why = String.valueOf(e.getMessage());
                notMade(mine, why);
                channels.notMade(mine, number, why);
            }
        }

        /// A peer that does not find it any more to cancel asks again at once: all is taken back by
        /// then.
        private synchronized void fail(DataLink mine, String why) {
            if (!over) {
                over = true;
                mine.freeIncoming();
                receiver.failed(why);
            }
            forget();
        }

        /// Keeps it until its sender says whether it was used, unless the sender has said so
        /// already. No such message is missed: it is marked here before the kept ones are searched.
        private synchronized void notMade(DataLink mine, String why) {
            if (!over) {
                unmade.add(new Unmade.One(asked.peer, asked.key, number, receiver, why));
            }
            fail(mine, why);
            if (leaving || done || leftBecause != null) {
                unmade.used(asked.peer, number);
            }
        }

        private void forget() {
            accepted.remove(asked, this);
            numbered.remove(number, this);
        }

        /// As soon as it is heard; [#done] may have to wait.
        void leaves() {
            leaving = true; // before the look: who attaches does it the other way round
            var in = incoming;
            if (in != null) {
                in.leaves();
            }
        }

        synchronized void done() {
            done = true;
            var in = incoming;
            if (in != null) {
                in.done();
            }
        }

        synchronized void givenUp(String why) {
            leftBecause = why;
            var in = incoming;
            if (in != null) {
                in.givenUp(why);
            }
        }

        /// The peer gave it up unused. A link that was to be made for it, and that the peer no
        /// longer has, is of no use here either, also one that was made just now and has no user
        /// yet. Another link, with a free direction, goes on: it may serve others already.
        void cancel() {
            var mine = Objects.requireNonNull(link);
            InChannel in;
            synchronized (this) {
                in = incoming;
                if (in == null) {
                    fail(mine, "the peer gave it up");
                }
                over = true;
            }
            if (in == null) {
                mine.failed(new LinkBroken("the peer gave it up")); // unless it is made
            } else {
                forget();
                receiver.cancelled(in);
            }
            if (mine.key.equals(asked.key) && mine.outgoingIsFree()) {
                channels.broken(mine, "the peer no longer has it");
            }
        }
    }
}
