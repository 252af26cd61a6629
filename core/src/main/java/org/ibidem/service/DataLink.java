package org.ibidem.service;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.ibidem.link.FrameLink;
import org.ibidem.link.LinkBroken;
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

    private final CompletableFuture<FrameLink> built = new CompletableFuture<>();
    private volatile @Nullable InChannel incoming;
    private volatile @Nullable OutChannel outgoing;
    private boolean promised;
    private volatile @Nullable String broken;

    DataLink(String key, NodeId peer, String stack, boolean active) {
        this.key = key;
        this.peer = peer;
        this.stack = stack;
        this.active = active;
    }

    /// Gives the direction towards us away; false: it is in use.
    synchronized boolean promise() {
        if (promised || broken != null) {
            return false;
        }
        promised = true;
        return true;
    }

    void use(InChannel in) {
        incoming = in;
    }

    synchronized void freeIncoming() {
        incoming = null;
        promised = false;
    }

    void use(@Nullable OutChannel out) {
        outgoing = out;
    }

    synchronized boolean idle() {
        return !promised && outgoing == null;
    }

    void complete(FrameLink link) {
        built.complete(link);
        if (broken != null) {
            link.close();
        }
    }

    void failed(Throwable why) {
        built.completeExceptionally(why);
    }

    boolean isBuilt() {
        return built.isDone() && !isBroken();
    }

    boolean isBroken() {
        return broken != null || built.isCompletedExceptionally();
    }

    /// The link; waits while it is being made.
    FrameLink link(Duration limit) {
        try {
            return built.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            var cause = Objects.requireNonNullElse(e.getCause(), e);
            throw new LinkBroken("the link could not be made: " + cause.getMessage(), cause);
        } catch (TimeoutException e) {
            throw new LinkBroken("the link was not made within " + limit.toMillis() + " ms", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LinkBroken("interrupted while the link was made", e);
        }
    }

    /// Closes it for both directions; whoever uses them is told why.
    void close(String why) {
        synchronized (this) {
            if (broken != null) {
                return;
            }
            broken = why;
        }
        if (built.isDone() && !built.isCompletedExceptionally()) {
            built.join().close();
        }
        var in = incoming;
        if (in != null) {
            in.ring();
        }
        var out = outgoing;
        if (out != null) {
            out.closed(why);
        }
    }
}
