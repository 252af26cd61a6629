package org.ibidem.hub;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.ibidem.service.Fair;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// The connections to the registry that there are, counted by pool, node and address: by address
/// those that have joined nothing yet, by pool the others.
final class Places {
    /// Connections that have joined nothing yet.
    static final int MOST_STRANGERS = 1024;

    private final ConnectionUse use;
    private final Fair<Place> strangers = new Fair<>(MOST_STRANGERS);
    private final Map<String, Integer> pools = new HashMap<>();
    private final Map<NodeId, Integer> nodes = new HashMap<>();

    Places(ConnectionUse use) {
        this.use = use;
    }

    /// One connection's.
    ///
    /// @param pool which it names
    /// @param node whose it is
    /// @param origin as [Fair#origin]
    /// @param sendAway told why when others need the room more, while it is a stranger's
    record Claim(String pool, NodeId node, Object origin, Consumer<String> sendAway) {}

    /// Gives a connection its place, if there is one.
    ///
    /// @return never null; a place that was not given says why
    synchronized Place take(Claim claim) {
        var place = new Place(claim, refusal(claim));
        if (place.refusal.isEmpty()) {
            count(nodes, claim.node, 1);
            place.enter();
        }
        return place;
    }

    private String refusal(Claim claim) {
        if (nodes.getOrDefault(claim.node, 0) >= use.ofNode()) {
            return "node %s has %d connections to this hub already"
                    .formatted(claim.node.brief(), use.ofNode());
        }
        if (use.ofAddress() > 0 && strangers.of(claim.origin) >= use.ofAddress()) {
            return "%d connections from this address have joined nothing yet"
                    .formatted(use.ofAddress());
        }
        return "";
    }

    private synchronized <K> void count(Map<K, Integer> counts, K of, int change) {
        counts.merge(of, change, Places::sum);
    }

    private static @Nullable Integer sum(Integer count, Integer change) {
        return count + change == 0 ? null : Integer.valueOf(count + change);
    }

    /// The place of one connection, until it is closed; used by its session alone.
    final class Place implements AutoCloseable {
        private final Claim claim;
        private final String refusal;
        private boolean settled;

        private Place(Claim claim, String refusal) {
            this.claim = claim;
            this.refusal = refusal;
        }

        /// Why there is none, or empty.
        String refusal() {
            return refusal;
        }

        private void enter() {
            var pushed = strangers.enter(this, claim.origin);
            if (pushed != null) {
                pushed.claim.sendAway.accept(
                        "of the connections from its address, which has the most of them, it had"
                                + " joined nothing for longest, and newer ones needed its room");
            }
        }

        /// It wants to join or to visit, and is no stranger's any more.
        ///
        /// @return why it may not, or empty
        String settle() {
            synchronized (Places.this) {
                if (pools.getOrDefault(claim.pool, 0) >= use.ofPool()) {
                    return "pool '%s' has %d connections to this hub already"
                            .formatted(claim.pool, use.ofPool());
                }
                count(pools, claim.pool, 1);
            }
            settled = true;
            strangers.leave(this);
            return "";
        }

        /// It has not joined after all.
        void unsettle() {
            if (settled) {
                settled = false;
                count(pools, claim.pool, -1);
                enter();
            }
        }

        @Override
        public void close() {
            strangers.leave(this);
            if (refusal.isEmpty()) {
                count(nodes, claim.node, -1);
            }
            if (settled) {
                settled = false;
                count(pools, claim.pool, -1);
            }
        }
    }
}
