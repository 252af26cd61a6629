package org.ibidem.wrap;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.ibidem.topology.NodeId;

/// How much each peer may have at a time, so that none takes another one's room. That one has all
/// it may have is said once, until it has none any more.
final class PeerRoom {
    private final int most;
    private final String what;
    private final Consumer<String> log;
    private final Map<NodeId, Integer> taken = new HashMap<>();
    private final Set<NodeId> said = new HashSet<>();

    /// @param what there are at most so many of, and what becomes of others: `connections from one
    ///   node are carried; more wait`
    /// @param log is told of a peer that has all
    PeerRoom(int most, String what, Consumer<String> log) {
        this.most = most;
        this.what = what;
        this.log = log;
    }

    /// Takes a place, if the peer has one left.
    synchronized boolean tryTake(NodeId peer) {
        int count = taken.getOrDefault(peer, 0);
        if (count < most) {
            taken.put(peer, count + 1);
            return true;
        }
        if (said.add(peer)) {
            log.accept("at most %d %s: node %s has reached that".formatted(most, what, peer));
        }
        return false;
    }

    /// Takes a place, when there is one.
    synchronized void take(NodeId peer) {
        boolean interrupted = false;
        while (!tryTake(peer)) {
            try {
                wait();
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /// Gives one back.
    synchronized void give(NodeId peer) {
        int left = taken.getOrDefault(peer, 0) - 1;
        if (left > 0) {
            taken.put(peer, left);
        } else {
            taken.remove(peer);
            said.remove(peer);
        }
        notifyAll();
    }
}
