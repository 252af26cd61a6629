package org.ibidem.vlink;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.ibidem.IbidemException;
import org.ibidem.channel.Acceptor;
import org.ibidem.channel.ChannelRefused;
import org.ibidem.channel.InChannel;
import org.ibidem.channel.OutChannel;
import org.ibidem.config.NotationException;
import org.ibidem.link.Terms;
import org.ibidem.selector.Alternatives;
import org.ibidem.selector.Selector;
import org.ibidem.station.NodeRuntime;
import org.ibidem.topology.NodeId;
import org.ibidem.vlink.VLinkFailed.Kind;

/// How VLinks come about: whoever connects opens a channel of kind `vlink`, and gets one back.
/// Format: `docs/wire/vlink.md`.
final class Connecting implements Acceptor {
    private static final String CHANNEL = "vlink";
    private static final int NOT_LISTENING = 1;
    private static final int BUSY = 2;
    private static final int OTHER_STACK = 3;
    private static final int NOT_WANTED = 4;

    /// For the channel back.
    private static final Duration BACK = Duration.ofSeconds(15);

    private final NodeRuntime runtime;
    private final VLinks owner;
    private final Selector selector;
    private final Alternatives alternatives;
    private final AtomicLong tokens = new AtomicLong();
    private final Map<Long, Awaited> awaited = new ConcurrentHashMap<>();

    /// What is asked for.
    record Wish(NodeId to, String name, String stack, String note) {}

    /// The channel back that is waited for.
    private record Awaited(NodeId from, CompletableFuture<InChannel> channel) {}

    Connecting(NodeRuntime runtime, VLinks owner) {
        this.runtime = runtime;
        this.owner = owner;
        this.selector = new Selector(runtime.catalog(), runtime.domains(), runtime.secrecy());
        this.alternatives = new Alternatives(selector, runtime.tasks(), runtime::line);
        runtime.channels().serve(CHANNEL, this);
    }

    private boolean allows(VLinkListener listener, String stack) {
        try {
            return listener.stack().equals(VLinks.ANY)
                    ? selector.alternatives(stack).stream()
                            .allMatch(one -> one.delivery().isFaithful())
                    : selector.allows(listener.stack(), stack);
        } catch (NotationException _) { // it has filters that there are not here
            return false;
        }
    }

    /// Checks what can be checked before anybody connects.
    void check(String stack) {
        if (stack.equals(VLinks.ANY)) {
            return; // who connects says over what
        }
        for (var one : selector.alternatives(stack)) {
            if (!one.delivery().isFaithful()) {
                throw new IllegalArgumentException(
                        "the stack '%s' may %s frames, and a VLink loses none: put 'reliable >' above it"
                                .formatted(one, one.delivery()));
            }
        }
    }

    void start(Posted<VLink> posted, Wish wish, Duration limit) {
        try {
            runtime.tasks().start("connect a VLink", () -> connect(posted, wish, limit));
        } catch (IllegalStateException e) {
            posted.fail(new VLinkFailed(Kind.CLOSED, "the node was closed", e));
        }
    }

    private void connect(Posted<VLink> posted, Wish wish, Duration limit) {
        long token = tokens.incrementAndGet();
        var back = new Awaited(wish.to, new CompletableFuture<>());
        awaited.put(token, back);
        var one = new Try(token, limit, runtime.tasks().deadline(limit));
        try {
            var link = connected(one, wish, back);
            owner.add(link);
            if (!posted.complete(link)) {
                link.abort("the connecting end gave up");
            }
        } catch (RuntimeException e) { // whatever it is, who waits must hear of it
            posted.fail(failure(wish, isLate(one), e));
        } catch (Error e) {
            posted.fail(failure(wish, false, new IbidemException("it failed: " + e, e)));
            throw e;
        } finally {
            awaited.remove(token);
        }
    }

    private record Try(long token, Duration limit, long deadline) {}

    private VLink connected(Try one, Wish wish, Awaited back) {
        var request = new VLinkRequest.Connect(one.token, wish.name, wish.note).encode();
        var found =
                alternatives.first(
                        wish.stack,
                        runtime.contact(wish.to, left(one)),
                        left(one),
                        (stack, left) ->
                                runtime.channels()
                                        .openOver(wish.to, CHANNEL, stack, request, left));
        var out = found.what();
        out.serves("'" + wish.name + "'");
        out.whenClosed(() -> noWayBack(out, back));
        try {
            var in = back.channel.get(left(one).toNanos(), TimeUnit.NANOSECONDS);
            return new VLink(
                    owner,
                    in,
                    out,
                    new VLink.About(wish.name, wish.note, found.stack().toString()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw late(one, wish, back, out, e);
        } catch (ExecutionException | TimeoutException e) {
            throw late(one, wish, back, out, e);
        }
    }

    /// Whoever has accepted it may have closed it again already, and the way back is not here yet.
    private static void noWayBack(OutChannel out, Awaited back) {
        var why = String.valueOf(out.closedBecause());
        if (!out.closedInOrder() || !Words.byOneWhoHasIt(why)) {
            back.channel.completeExceptionally(new IbidemException(why));
        }
    }

    /// Nothing came back in time.
    private VLinkFailed late(Try one, Wish wish, Awaited back, OutChannel out, Exception why) {
        var closed = out.closedBecause();
        out.giveUp("the VLink it was made for never came");
        out.detached();
        if (!back.channel.cancel(false) && !back.channel.isCompletedExceptionally()) {
            back.channel.join().refuseRest(Words.RESET + "the connecting end gave up");
        }
        return closed != null
                ? new VLinkFailed(Kind.REFUSED, about(wish) + closed, why)
                : new VLinkFailed(
                        Kind.TIMED_OUT,
                        about(wish) + "it did not answer within " + one.limit.toMillis() + " ms",
                        why);
    }

    private static String about(Wish wish) {
        return "no VLink to '" + wish.name + "' at node " + wish.to.brief() + ": ";
    }

    private Duration left(Try one) {
        return Duration.ofNanos(Math.max(1, one.deadline - runtime.tasks().nanoTime()));
    }

    private boolean isLate(Try one) {
        return one.deadline - runtime.tasks().nanoTime() <= 0;
    }

    private static VLinkFailed failure(Wish wish, boolean late, RuntimeException e) {
        if (e instanceof VLinkFailed known) {
            return known;
        }
        var why = about(wish) + (e instanceof IbidemException ? e.getMessage() : e.toString());
        return new VLinkFailed(
                switch (e) {
                    case ChannelRefused refused ->
                            refused.code() == BUSY ? Kind.TIMED_OUT : Kind.REFUSED;
                    default -> late ? Kind.TIMED_OUT : Kind.UNREACHABLE;
                },
                why,
                e);
    }

    @Override
    public Answer answer(NodeId peer, String stack, Terms terms, byte[] request) {
        return switch (VLinkRequest.decode(request)) {
            case VLinkRequest.Connect wanted -> answer(peer, stack, wanted);
            case VLinkRequest.Back back -> answer(peer, back);
        };
    }

    private Answer answer(NodeId peer, String stack, VLinkRequest.Connect wanted) {
        var listener = owner.listener(wanted.name());
        if (listener == null) {
            return new No(
                    NOT_LISTENING,
                    "nobody listens for VLinks to '"
                            + wanted.name()
                            + "'"
                            + owner.nearest(wanted.name()));
        }
        if (!allows(listener, stack)) {
            return new No(
                    OTHER_STACK,
                    "VLinks to '"
                            + wanted.name()
                            + "' go over '"
                            + listener.stack()
                            + "', which is not made as "
                            + stack);
        }
        if (!listener.takePlace()) {
            return new Later(
                    new No(
                            BUSY,
                            "as many VLinks to '"
                                    + wanted.name()
                                    + "' wait to be accepted as may, and none was in time"));
        }
        return new Yes(new Arriving(this, listener, wanted, new Arriving.From(peer, stack)));
    }

    private Answer answer(NodeId peer, VLinkRequest.Back back) {
        var mine = awaited.get(back.token());
        if (mine == null || !mine.from.equals(peer) || mine.channel.isDone()) {
            return new No(NOT_WANTED, "no VLink is being connected under this token");
        }
        return new Yes(new Returning(mine.channel));
    }

    VLinks owner() {
        return owner;
    }

    /// The channel back to whoever connects.
    OutChannel openBack(NodeId to, String stack, long token) {
        return runtime.channels()
                .open(
                        to,
                        CHANNEL,
                        selector.alternatives(stack).getFirst(),
                        new VLinkRequest.Back(token).encode(),
                        BACK);
    }

    /// Whoever connects gets the channel back.
    private record Returning(CompletableFuture<InChannel> channel) implements Receiver {
        @Override
        public void attach(InChannel incoming) {
            if (!channel.complete(incoming)) {
                incoming.refuseRest(Words.RESET + "the connecting end gave up");
            }
        }

        @Override
        public void failed(String why) {
            // who was connected to tells it by closing the other channel
        }

        @Override
        public void cancelled(InChannel incoming) {
            incoming.ended();
        }
    }
}
