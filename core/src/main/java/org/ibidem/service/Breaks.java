package org.ibidem.service;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.ibidem.IbidemException;
import org.ibidem.buffer.ControlReader;
import org.ibidem.buffer.ControlWriter;
import org.ibidem.link.Tasks;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// Tells peers of data links that broke here. A NAT that has forgotten a connection tells neither
/// end; the one that finds out tells the other, who may be writing into nothing.
///
/// ```
/// BROKEN  | key text | why text |
/// ```
final class Breaks {
    private static final int LONGEST_WHY = 512;
    private static final int LARGEST = 1024;
    private static final int MOST_OF_A_PEER = 1024;
    private static final int MOST_PEERS = 4096;
    private static final Duration EACH = Duration.ofSeconds(10);
    private static final Duration PAUSE = Duration.ofMillis(500);
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Peers peers;
    private final Tasks tasks;
    private final Map<NodeId, Set<Break>> untold = new HashMap<>();

    private record Break(String key, String why) {}

    /// Ends a link that the peer says is broken.
    @FunctionalInterface
    interface Heard {
        void broken(NodeId peer, String key, String why);
    }

    Breaks(Peers peers, Tasks tasks, Heard heard) {
        this.peers = peers;
        this.tasks = tasks;
        peers.serve(
                Peers.BROKEN,
                (peer, message) -> {
                    var in = new ControlReader(message);
                    var key = in.text("key", ChannelMessages.KEY);
                    var why = in.text("why", LONGEST_WHY);
                    in.end();
                    heard.broken(peer, key, why);
                    return Peers.NOTHING;
                });
    }

    /// The peer is told, if it is still there, as soon as it can be.
    synchronized void tell(NodeId peer, String key, String why) {
        var told = untold.get(peer);
        if (told != null) {
            if (told.size() < MOST_OF_A_PEER) {
                told.add(new Break(key, why));
            }
        } else if (untold.size() < MOST_PEERS && peers.mayBeThere(peer)) {
            untold.put(peer, new LinkedHashSet<>(Set.of(new Break(key, why))));
            start(peer);
        }
    }

    private void start(NodeId peer) {
        try {
            tasks.start("tell " + peer.brief() + " of broken links", () -> tellAll(peer));
        } catch (IllegalStateException _) {
            untold.remove(peer); // this node is going down, and says so to all
        }
    }

    private void tellAll(NodeId peer) {
        long end = tasks.nanoTime() + PATIENCE.toNanos();
        for (var next = next(peer); next != null; next = next(peer)) {
            try {
                peers.request(peer, Peers.BROKEN, encode(next), EACH);
                told(peer, next);
            } catch (IbidemException e) {
                if (tasks.nanoTime() - end > 0 || !peers.mayBeThere(peer)) {
                    forget(peer);
                }
                pause(peer);
            }
        }
    }

    /// It may have failed at once, and would again.
    private void pause(NodeId peer) {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            forget(peer);
        }
    }

    private static byte[] encode(Break broken) {
        return new ControlWriter(LARGEST)
                .text(broken.key, ChannelMessages.KEY)
                .text(ControlWriter.shortened(broken.why, LONGEST_WHY), LONGEST_WHY)
                .toBytes();
    }

    private synchronized @Nullable Break next(NodeId peer) {
        var left = untold.get(peer);
        if (left == null || left.isEmpty()) {
            untold.remove(peer);
            return null;
        }
        return left.iterator().next();
    }

    private synchronized void told(NodeId peer, Break one) {
        var left = untold.get(peer);
        if (left != null) {
            left.remove(one);
        }
    }

    private synchronized void forget(NodeId peer) {
        untold.remove(peer);
    }
}
