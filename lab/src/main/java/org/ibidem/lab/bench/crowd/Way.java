package org.ibidem.lab.bench.crowd;

import java.util.List;
import org.ibidem.registry.Membership;
import org.jspecify.annotations.Nullable;

/// One way for a crowd to gather.
///
/// @param name what it is called in tables
/// @param about one line for people
/// @param membership what those want to know of members who want to know of them; null: nobody
///   joins, all only prove who they are
/// @param followers how many those are; the others do not follow members
/// @param state whether the hub keeps its state on a disk
record Way(
        String name, String about, @Nullable Membership membership, int followers, boolean state) {
    private static final int ALL_OF_THEM = Integer.MAX_VALUE;
    private static final int SOME = 100;

    private static final Way HANDSHAKES =
            new Way(
                    "handshakes",
                    "proves both ends and hangs up: what no registry can do without",
                    null,
                    0,
                    false);
    private static final Way NONE =
            new Way("ibidem-none", "nodes that do not follow members", Membership.NONE, 0, false);
    private static final Way WATCHED =
            new Way(
                    "ibidem-watched",
                    "100 nodes are told every change in its order, the others do not follow",
                    Membership.ORDERED,
                    SOME,
                    false);

    /// All ways, for thousands.
    static final List<Way> USUAL =
            List.of(
                    HANDSHAKES,
                    NONE,
                    WATCHED,
                    new Way(
                            "ibidem-eventual",
                            "nodes that know all members in the end",
                            Membership.EVENTUAL,
                            ALL_OF_THEM,
                            false),
                    new Way(
                            "ibidem-ordered",
                            "nodes that are told every change in its order",
                            Membership.ORDERED,
                            ALL_OF_THEM,
                            false),
                    new Way(
                            "ibidem-state",
                            "as ibidem-eventual, with a hub that journals to disk",
                            Membership.EVENTUAL,
                            ALL_OF_THEM,
                            true));

    /// Those in which ten thousand nodes fit into one machine: where all know all, that is a
    /// hundred million members to keep.
    static final List<Way> FOR_MANY = List.of(HANDSHAKES, NONE, WATCHED);

    /// How many of so many nodes follow members.
    int followers(int members) {
        return Math.min(followers, members);
    }
}
