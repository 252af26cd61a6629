package org.ibidem.channel;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.ibidem.link.FrameLink;
import org.ibidem.link.LinkBroken;
import org.ibidem.link.Lower;
import org.ibidem.link.Path;
import org.ibidem.link.Terms;
import org.ibidem.peer.Course;
import org.ibidem.stack.Stack;
import org.ibidem.task.Tasks;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// A link between this node and another, whose two directions serve one channel each. The receiving
/// end of a direction says who may use it; so the one towards us is ours to give, and the one away
/// from us is the peer's.
final class DataLink {
    final String key;
    final NodeId peer;
    final String stack;

    /// Whether this end asked for it.
    final boolean active;

    /// Whether it serves one channel in its life: where it is not faithful, frames of one channel
    /// could not be told from those of the next.
    final boolean single;

    /// Whether it is a stream of a connection that others share.
    final boolean shared;

    private final boolean overConnection;
    private volatile @Nullable Path path;
    private volatile String method = "";
    private volatile String secrecy = "";
    private volatile byte[] said = new byte[Lower.SAID];
    private volatile long madeAt;
    private volatile @Nullable Terms terms;
    private final CompletableFuture<FrameLink> built = new CompletableFuture<>();
    private volatile @Nullable InChannel incoming;
    private volatile @Nullable OutChannel outgoing;
    private final Semaphore away = new Semaphore(1);
    private boolean promised;

    /// A direction was given up in the middle of a channel: where its next frame would begin is not
    /// known, and it serves nobody any more. The other one goes on.
    private boolean awayIsOver;

    private boolean towardsIsOver;
    private volatile boolean agreed;
    private volatile @Nullable String broken;
    private volatile @Nullable String gone;
    private boolean retired;
    private long usedAt;

    DataLink(String key, NodeId peer, Stack stack, boolean active) {
        this.key = key;
        this.peer = peer;
        this.stack = stack.toString();
        this.active = active;
        this.single = !stack.delivery().isFaithful();
        this.shared = stack.shares();
        this.overConnection = stack.driver().overConnections();
    }

    /// The connection that it was given, and by which method that was made.
    void goesOver(Path connection, String by) {
        path = connection;
        method = by;
    }

    /// Who can read what it carries, as both ends have found in their handshake.
    void readable(String by) {
        secrecy = by;
    }

    /// What both ends have said in the handshake of its first connection, as [Lower#said].
    void said(byte[] digest) {
        said = digest;
    }

    /// As [Lower#said].
    byte[] said() {
        return said.clone();
    }

    /// Notes when it was made.
    void madeAt(long now) {
        madeAt = now;
    }

    /// The course it takes.
    Course course(long now) {
        var over = path;
        var age = Duration.ofNanos(now - madeAt);
        return over == null || !overConnection
                ? new Course("", "", age, "")
                : new Course(method, address(over), age, secrecy);
    }

    private static String address(Path over) {
        return String.valueOf(over.remote()).replaceFirst("^[^/]*/", "");
    }

    /// Both ends know what each can do, and what that makes of the link.
    void agreed(Terms both) {
        terms = both;
    }

    Terms terms() {
        return Objects.requireNonNull(terms);
    }

    /// Gives the direction towards us away; false: it is in use.
    synchronized boolean promise() {
        if (promised || retired || isHalf() || broken != null || gone != null) {
            return false;
        }
        promised = true;
        return true;
    }

    /// Notes when it was last in use, for [#retire].
    synchronized void usedAt(long now) {
        usedAt = now;
    }

    /// Ends its use when neither direction was used for so long, or will be any more; from then on
    /// nobody gets one.
    synchronized boolean retire(long now, long idleNanos) {
        boolean serves = !retired && !isHalf();
        if (!idle() || (serves && now - usedAt < idleNanos)) {
            return false;
        }
        retired = true;
        return true;
    }

    /// Whether nobody gets one of its directions any more.
    synchronized boolean isRetired() {
        return retired;
    }

    /// Ends its use, as the peer has done: its users here finish, and it gets no new ones.
    ///
    /// @return whether nobody uses it here
    synchronized boolean retire() {
        retired = true;
        return idle();
    }

    /// A direction has a user from now on.
    synchronized void use(InChannel in) {
        incoming = in;
        var why = broken != null ? broken : gone;
        if (why != null) {
            in.gone(why);
        }
    }

    synchronized void freeIncoming() {
        incoming = null;
        promised = false;
        notifyAll();
    }

    /// Takes the direction away from us for `out`. Whoever had it before may still be about to let
    /// go, which is waited for.
    ///
    /// @throws LinkBroken when it does not become free, as the peer should have known, or the link
    ///   is broken
    void take(OutChannel out, Duration limit) {
        try {
            if (!away.tryAcquire(limit.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new LinkBroken(
                        "node " + peer.brief() + " gave a direction away that is in use");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LinkBroken("interrupted while waiting for a free direction", e);
        }
        synchronized (this) {
            if (broken == null && !retired && !isHalf()) {
                outgoing = out;
                return;
            }
        }
        away.release();
        throw new LinkBroken(
                Objects.requireNonNullElse(
                        broken, isHalf() ? "one of its directions was given up" : "it was idle"));
    }

    /// Ends the direction away from us in the middle of a channel.
    ///
    /// @return false: nobody uses the other one, the link is of no use
    synchronized boolean endsAway() {
        awayIsOver = true;
        return isLive() && promised && !towardsIsOver;
    }

    /// The same for the direction towards us.
    synchronized boolean endsTowards() {
        towardsIsOver = true;
        return isLive() && outgoing != null && !awayIsOver;
    }

    private boolean isLive() {
        return broken == null && gone == null;
    }

    /// Whether one of its directions serves nobody any more.
    synchronized boolean isHalf() {
        return awayIsOver || towardsIsOver;
    }

    /// Whether what this end has sent may be on its way for ever.
    synchronized boolean isAwayOver() {
        return awayIsOver;
    }

    /// This one does not use it any more.
    @SuppressWarnings("ReferenceEquality") // this one, not one like it
    void letGo(OutChannel out) {
        synchronized (this) {
            if (outgoing != out) {
                return;
            }
            outgoing = null;
            notifyAll();
        }
        away.release();
    }

    synchronized boolean outgoingIsFree() {
        return outgoing == null;
    }

    synchronized boolean idle() {
        return (!promised || towardsIsOver) && outgoing == null;
    }

    /// Waits until nobody uses it any more, in either direction, or it is broken, or its peer gone;
    /// until `deadline` at most.
    synchronized void awaitIdle(Tasks clock, long deadline) throws InterruptedException {
        while (!idle() && broken == null && gone == null) {
            long left = deadline - clock.nanoTime();
            if (left <= 0) {
                return;
            }
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
    }

    void complete(FrameLink link) {
        if (!built.complete(link) || broken != null) {
            link.close(); // it was given up while it was being made
        }
    }

    void failed(Throwable why) {
        built.completeExceptionally(why);
    }

    /// Whether it waits for this peer to connect.
    boolean awaits(NodeId who) {
        return !active && !built.isDone() && peer.equals(who);
    }

    boolean isBuilt() {
        return built.isDone() && !isBroken();
    }

    boolean isBroken() {
        return broken != null || built.isCompletedExceptionally();
    }

    /// The peer wants it too: it will be made, whatever else is asked.
    void agree() {
        agreed = true;
    }

    boolean isAgreed() {
        return agreed && !isBroken();
    }

    /// Whether this end is asking for it, or making it.
    boolean isAsked() {
        return active && !isBroken();
    }

    /// Waits while it is being made; false: it never will be.
    boolean made(Duration limit) {
        try {
            link(limit);
            return !isBroken();
        } catch (LinkBroken _) {
            return false;
        }
    }

    /// The link; waits while it is being made.
    FrameLink link(Duration limit) {
        try {
            return built.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            var cause = Objects.requireNonNullElse(e.getCause(), e);
            throw new LinkBroken("the link could not be made: " + cause.getMessage(), cause);
        } catch (TimeoutException e) {
            throw new LinkBroken("the link was not made in time", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LinkBroken("interrupted while the link was made", e);
        }
    }

    /// Waits until what was handed on to it arrives, also once it is closed; as
    /// [org.ibidem.link.Link#drain].
    boolean drain(Duration limit) {
        return !there() || built.join().drain(limit);
    }

    /// Ends it for both directions; whoever uses them is told why, before the link can say less.
    void close(String why) {
        synchronized (this) {
            if (broken != null) {
                return;
            }
            broken = why;
            notifyAll();
        }
        var in = incoming;
        var out = outgoing;
        if (in != null) {
            in.gone(why);
        }
        if (out != null) {
            out.over(why);
        }
        if (there()) {
            built.join().close();
        }
        ring(in, out);
    }

    /// The peer is known to be gone. What it sent before can still be read.
    ///
    /// @return false: nobody reads here, the link can be closed
    boolean gone(String why) {
        @Nullable InChannel in;
        @Nullable OutChannel out;
        boolean read;
        synchronized (this) {
            gone = why;
            notifyAll();
            in = incoming;
            out = outgoing;
            read = promised && !towardsIsOver;
        }
        if (in != null) {
            in.gone(why);
        }
        if (out != null) {
            out.over(why);
        }
        ring(in, out);
        return read;
    }

    /// Why its peer is gone, or null.
    @Nullable String goneBecause() {
        return gone;
    }

    private static void ring(@Nullable InChannel in, @Nullable OutChannel out) {
        if (in != null) {
            in.ring();
        }
        if (out != null) {
            out.ring();
        }
    }

    private boolean there() {
        return built.isDone() && !built.isCompletedExceptionally();
    }
}
