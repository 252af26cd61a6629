package org.ibidem.hub;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.ibidem.accept.OriginQuota;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// The connections to the registry that there are, counted by pool, node and address: by address
/// those that have joined nothing yet, by pool the others.
final class Places {
    /// Connections of an account that have joined nothing yet.
    static final int MOST_STRANGERS = 1024;

    private final ConnectionUse use;

    /// By account, so that those of one do not push out those of another.
    private final Map<String, OriginQuota<Place>> strangers = new ConcurrentHashMap<>();

    /// Of each pool its nodes: one that comes again, while its former connection is thought to
    /// live, takes no place of another's.
    private final Map<String, Map<NodeId, Integer>> pools = new HashMap<>();

    private final Map<NodeId, Integer> nodes = new HashMap<>();

    Places(ConnectionUse use) {
        this.use = use;
    }

    /// One connection's.
    ///
    /// @param account as [ServedPools#account]
    /// @param pool which it names
    /// @param node whose it is
    /// @param origin as [OriginQuota#origin]
    /// @param sendAway told why when others need the room more, while it is a stranger's
    record Claim(
            String account, String pool, NodeId node, Object origin, Consumer<String> sendAway) {}

    private OriginQuota<Place> strangers(Claim claim) {
        return strangers.computeIfAbsent(claim.account, _ -> new OriginQuota<>(MOST_STRANGERS));
    }

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
        if (use.ofAddress() > 0 && strangers(claim).of(claim.origin) >= use.ofAddress()) {
            return "%d connections from this address have joined nothing yet"
                    .formatted(use.ofAddress());
        }
        return "";
    }

    private synchronized <K> void count(Map<K, Integer> counts, K of, int change) {
        counts.merge(of, change, Places::sum);
    }

    private Map<NodeId, Integer> ofPool(Claim claim) {
        return pools.computeIfAbsent(claim.pool, _ -> new HashMap<>());
    }

    private boolean isFull(Claim claim) {
        var there = pools.getOrDefault(claim.pool, Map.of());
        return there.size() >= use.ofPool() && !there.containsKey(claim.node);
    }

    private synchronized void leavePool(Place place) {
        place.settled = false;
        var there = ofPool(place.claim);
        count(there, place.claim.node, -1);
        if (there.isEmpty()) {
            pools.remove(place.claim.pool);
        }
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
            var pushed = strangers(claim).enter(this, claim.origin);
            if (pushed != null) {
                pushed.claim.sendAway.accept(
                        "of the connections from its address, which has the most of them, it had"
                                + " joined nothing for longest, and newer ones needed its room");
            }
        }

        /// It wants to join or to visit, and is no stranger's any more.
        ///
        /// @return empty; or why it may not; or null: it was sent away just before, and will hear
        @Nullable String settle() {
            if (settled) {
                return "";
            }
            synchronized (Places.this) {
                if (isFull(claim)) {
                    return "pool '%s' has %d connections to this hub already"
                            .formatted(claim.pool, use.ofPool());
                }
                if (!strangers(claim).leave(this)) {
                    return null;
                }
                count(ofPool(claim), claim.node, 1);
            }
            settled = true;
            return "";
        }

        /// It has not joined after all.
        void unsettle() {
            if (settled) {
                leavePool(this);
                enter();
            }
        }

        @Override
        public void close() {
            strangers(claim).leave(this);
            if (refusal.isEmpty()) {
                count(nodes, claim.node, -1);
            }
            if (settled) {
                leavePool(this);
            }
        }
    }
}
