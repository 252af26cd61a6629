package org.ibidem.peer;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.ibidem.topology.NodeId;

/// What a node has found out about a peer by dealing with it.
///
/// @param peer whom
/// @param roundTrip the shortest time an answer over a service link has taken; none before the
///   first
/// @param worked the connections this node made to it lately, the last of each purpose, the newest
///   first
public record Acquaintance(NodeId peer, Optional<Duration> roundTrip, List<Worked> worked) {
    /// Keeps its own copy.
    public Acquaintance {
        worked = List.copyOf(worked);
    }

    /// A connection that came about.
    ///
    /// @param purpose what for
    /// @param method by which method
    /// @param ago how long ago
    public record Worked(Purpose purpose, String method, Duration ago) {}
}
