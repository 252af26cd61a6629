package org.ibidem.registry.uplink;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.ibidem.topology.NodeId;
import org.ibidem.topology.Surroundings;

/// What members have said of their networks, each until it is a minute old; bounded, of the oldest
/// the first goes. Not for several threads.
final class Latest {
    /// What is older counts no more.
    static final Duration KEPT = Duration.ofSeconds(60);

    static final int MOST = 4096;

    private final Map<NodeId, Known> known = new LinkedHashMap<>();

    /// @param until when it is too old
    private record Known(Surroundings surroundings, long until) {}

    /// A member has said so.
    ///
    /// @param age how long ago
    /// @param now the time, as of the one clock
    void learn(NodeId id, Surroundings said, Duration age, long now) {
        known.remove(id); // to the end of the line
        known.put(id, new Known(said, now + KEPT.minus(age).toNanos()));
        if (known.size() > MOST) {
            known.remove(known.keySet().iterator().next());
        }
    }

    /// What a member has said, if that still counts.
    Optional<Surroundings> of(NodeId id, long now) {
        var here = known.get(id);
        if (here != null && here.until - now <= 0) {
            known.remove(id);
            return Optional.empty();
        }
        return Optional.ofNullable(here).map(Known::surroundings);
    }

    void forget(NodeId id) {
        known.remove(id);
    }

    void clear() {
        known.clear();
    }
}
