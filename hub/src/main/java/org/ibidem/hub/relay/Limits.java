package org.ibidem.hub.relay;

import java.time.Duration;
import java.util.Set;

/// What a relay carries, and what it keeps for it.
///
/// @param spokes nodes of one pool that may be connected to it at a time
/// @param streams of one node at a time
/// @param memory bytes that may wait in it altogether, about: no stream has less than
///   [#LEAST_CREDIT]
/// @param share bytes of one node's that may wait in it
/// @param silence after so long without a sign of life a node's connection is ended
/// @param nodeRate bytes a second that one node may send; 0: any
/// @param poolRate the same for all nodes of a pool together
/// @param idle a stream that carries nothing for so long is ended; zero: never
/// @param governed the pools that have an authority: what others take is not theirs
public record Limits(
        int spokes,
        int streams,
        long memory,
        int share,
        Duration silence,
        long nodeRate,
        long poolRate,
        Duration idle,
        Set<String> governed) {
    /// Each stream may send so much at least before any of it was taken.
    public static final int LEAST_CREDIT = 16 << 10;

    /// No stream may send more than this before any of it was taken.
    public static final int MOST_CREDIT = 1 << 20;

    /// 10 000 nodes of a pool, 4096 streams each; 128 MiB in all, 4 MiB for one node; 20 s; as fast
    /// as it goes.
    public static final Limits DEFAULT =
            new Limits(
                    10_000,
                    4096,
                    128L << 20,
                    4 << 20,
                    Duration.ofSeconds(20),
                    0,
                    0,
                    Duration.ZERO,
                    Set.of());

    private static final int LEAST_READ = 1 << 10;

    /// The same with other rates and another idle time.
    public Limits use(long ofNode, long ofPool, Duration longest) {
        return new Limits(
                spokes, streams, memory, share, silence, ofNode, ofPool, longest, governed);
    }

    /// The same for at most so many nodes of a pool.
    public Limits spokes(int most) {
        int few = Math.min(spokes, most);
        return new Limits(few, streams, memory, share, silence, nodeRate, poolRate, idle, governed);
    }

    /// The same where these pools have an authority.
    public Limits governed(Set<String> pools) {
        return new Limits(spokes, streams, memory, share, silence, nodeRate, poolRate, idle, pools);
    }

    /// What a pool is counted under: itself where it has an authority, else what all others are.
    String account(String pool) {
        return governed.contains(pool) ? pool : "";
    }

    /// How much is read from a node at once, lest it has to rest for long afterwards.
    ///
    /// @param nodes of its pool
    /// @param room how much could be
    int read(int nodes, int room) {
        long ofNode = nodeRate == 0 ? room : nodeRate / Budget.BURSTS;
        long ofPool = poolRate == 0 ? room : poolRate / Budget.BURSTS / Math.max(1, nodes);
        return Math.clamp(Math.min(ofNode, ofPool), Math.min(LEAST_READ, room), room);
    }

    /// What one of a node's streams may send before any of it was taken.
    ///
    /// @param pools that the memory is shared by now
    /// @param nodes of its pool that are connected now
    /// @param streamsOfNode that the node has now
    long credit(int pools, int nodes, int streamsOfNode) {
        long ofPool = memory / Math.max(1, pools);
        long each = Math.min(share, ofPool / Math.max(1, nodes)) / Math.max(1, streamsOfNode);
        long most = Math.clamp(each, LEAST_CREDIT, MOST_CREDIT);
        long burst = Math.max(LEAST_READ, rate(nodes) / Budget.BURSTS / Math.max(1, streamsOfNode));
        return rate(nodes) == 0 ? most : Math.min(most, burst);
    }

    /// What one node may send in a second, or 0. What it has sent and may not be read yet stands
    /// before what it says to the hub itself: so no more is let come than is soon read.
    private long rate(int nodes) {
        long ofPool = poolRate == 0 ? 0 : Math.max(1, poolRate / Math.max(1, nodes));
        return nodeRate == 0 || ofPool == 0 ? nodeRate + ofPool : Math.min(nodeRate, ofPool);
    }
}
