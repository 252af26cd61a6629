package org.ibidem.channel;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import org.ibidem.IbidemException;
import org.ibidem.control.Peers;
import org.ibidem.control.ServiceFailed;
import org.ibidem.task.Tasks;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// Tells peers what they may not notice: that a data link broke here, or that a channel was given
/// up. A NAT that has forgotten a connection tells neither end; the one that finds out tells the
/// other, who may be writing into nothing.
final class BrokenLinkReporter {
    private static final int MOST_OF_A_PEER = 1024;
    private static final int MOST_PEERS = 4096;
    private static final Duration EACH = Duration.ofSeconds(10);
    private static final Duration PAUSE = Duration.ofMillis(500);
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Peers peers;
    private final Tasks tasks;
    private final Map<NodeId, Queue<Break>> untold = new HashMap<>();

    /// @param otherwise what to do where the peer cannot be told, or does not know what it is told
    private record Break(int kind, byte[] message, Runnable otherwise) {}

    BrokenLinkReporter(Peers peers, Tasks tasks) {
        this.peers = peers;
        this.tasks = tasks;
    }

    /// The peer is told, if it is still there, as soon as it can be.
    ///
    /// @param kind of the request
    /// @param otherwise called when it is not, perhaps at once
    void tell(NodeId peer, int kind, byte[] message, Runnable otherwise) {
        if (!add(peer, new Break(kind, message, otherwise))) {
            otherwise.run();
        }
    }

    private synchronized boolean add(NodeId peer, Break one) {
        var told = untold.get(peer);
        if (told != null) {
            return told.size() < MOST_OF_A_PEER && told.add(one);
        }
        if (untold.size() >= MOST_PEERS || !peers.mayBeThere(peer)) {
            return false;
        }
        untold.put(peer, new ArrayDeque<>(List.of(one)));
        try {
            tasks.start("tell " + peer.brief() + " of what broke", () -> tellAll(peer));
            return true;
        } catch (IllegalStateException _) {
            untold.remove(peer); // this node is going down, and says so to all
            return false;
        }
    }

    private void tellAll(NodeId peer) {
        long end = tasks.nanoTime() + PATIENCE.toNanos();
        for (var next = next(peer); next != null; next = next(peer)) {
            try {
                peers.request(peer, next.kind, next.message, EACH);
                told(peer);
            } catch (IbidemException e) {
                if (e instanceof ServiceFailed failed && failed.isAnswer()) {
                    told(peer);
                    next.otherwise.run();
                } else if (tasks.nanoTime() - end > 0 || !peers.mayBeThere(peer)) {
                    forget(peer);
                } else {
                    pause(peer);
                }
            }
        }
    }

    /// It may have failed at once, and would again.
    private void pause(NodeId peer) {
        try {
            tasks.pause(PAUSE);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            forget(peer);
        }
    }

    private synchronized @Nullable Break next(NodeId peer) {
        var left = untold.get(peer);
        var next = left == null ? null : left.peek();
        if (next == null) {
            untold.remove(peer);
        }
        return next;
    }

    private synchronized void told(NodeId peer) {
        var left = untold.get(peer);
        if (left != null) {
            left.remove();
        }
    }

    private void forget(NodeId peer) {
        Queue<Break> left;
        synchronized (this) {
            left = Objects.requireNonNullElse(untold.remove(peer), new ArrayDeque<>());
        }
        left.forEach(one -> one.otherwise.run());
    }
}
