package org.ibidem.connect.routed;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.function.Supplier;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// Who is at the two ends of a trunk, and how much it may carry for that.
///
/// @param me this node
/// @param peer the node at the other end, or null where that is the hub, which leads on
/// @param opener whether this end has connected
/// @param elsewhere for how long the other end was not heard over other connections. While it is, a
///   trunk between nodes is not given up for silence: its peer's program may hold all that would
///   answer, and a connection that is cut off is noticed by the kernel
public record TrunkEnds(
        NodeId me, @Nullable NodeId peer, boolean opener, Supplier<Duration> elsewhere) {
    /// To and from a hub, each of whose streams has a whole window; and between two nodes.
    private static final int MOST_STREAMS = 4096;

    private static final int MOST_BETWEEN_NODES = 16_384;

    /// What the streams between two nodes share: so many have a whole window each, those opened
    /// when there are more get less. Altogether that is below 130 MiB, however many there are. A
    /// hub grants no more than it is ready to keep.
    private static final int MOST_WHOLE = 16;

    /// Of a trunk whose other end is heard nowhere else.
    public TrunkEnds(NodeId me, @Nullable NodeId peer, boolean opener) {
        this(me, peer, opener, ChronoUnit.FOREVER::getDuration);
    }

    /// Of the trunk that a node has made to its hub.
    public static TrunkEnds toHub(NodeId me) {
        return new TrunkEnds(me, null, true);
    }

    /// Whether its streams go on beyond the other end.
    boolean leadsOn() {
        return peer == null;
    }

    /// The other end, for people.
    String other() {
        return peer == null ? "the hub" : "node " + peer.brief();
    }

    /// Streams that it carries at a time.
    int mostStreams() {
        return leadsOn() ? MOST_STREAMS : MOST_BETWEEN_NODES;
    }

    /// Bytes that the peer may send on a new stream before they are read.
    ///
    /// @param streams those there are already
    int window(int streams) {
        int whole = MOST_WHOLE * RoutedStream.WINDOW;
        return leadsOn()
                ? RoutedStream.WINDOW
                : Math.min(RoutedStream.WINDOW, whole / (streams + 1));
    }
}
