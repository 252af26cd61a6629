package org.ibidem.mpj.collective;

import java.util.Arrays;
import org.ibidem.mpj.data.Kind;
import org.ibidem.mpj.data.Part;
import org.ibidem.mpj.data.Shape;
import org.ibidem.mpj.device.Begun;
import org.ibidem.mpj.device.Request;

/// Collective operations that move data.
public final class Movement {
    private static final Shape BYTE = Shape.of(Kind.BYTE, 1);

    private Movement() {}

    /// What belongs to each rank.
    public interface Parts {
        /// The part of one rank.
        Part of(int rank);
    }

    /// All wait for each other: after as many rounds as the size has binary digits, each has heard
    /// of everybody, from ranks 1, 2, 4, … places before it (Hensgen, Finkel and Manber, 1988).
    public static void barrier(Team team) {
        Part nothing = Part.of(new byte[0], 0, 0, BYTE);
        for (int distance = 1; distance < team.size(); distance <<= 1) {
            team.exchange(nothing, team.behind(distance), nothing, team.behind(-distance));
        }
    }

    /// The root's part goes to all, along a binomial tree.
    public static void broadcast(Team team, Part part, int root) {
        int size = team.size();
        int place = Math.floorMod(team.rank() - root, size);
        int bit = 1;
        while (bit < size && (place & bit) == 0) {
            bit <<= 1;
        }
        if (place != 0) {
            team.recv(part, Math.floorMod(place - bit + root, size));
        }
        try (Begun begun = new Begun()) {
            for (int below = bit >> 1; below > 0; below >>= 1) {
                if (place + below < size) {
                    Request _ = begun.sends(team.isend(part, (place + below + root) % size));
                }
            }
            begun.await();
        }
    }

    /// The part of each, before anything is sent or received: one of them may be refused.
    private static Part[] parts(Team team, Parts of) {
        Part[] parts = new Part[team.size()];
        Arrays.setAll(parts, of::of);
        return parts;
    }

    /// Each part goes to the root.
    ///
    /// @param all at the root, where the part of each rank goes to
    public static void gather(Team team, Part mine, Parts all, int root) {
        if (team.rank() != root) {
            team.send(mine, root);
            return;
        }
        Part[] parts = parts(team, all);
        try (Begun begun = new Begun()) {
            for (int rank = 0; rank < parts.length; rank++) {
                if (rank != root) {
                    Request _ = begun.receives(team.irecv(parts[rank], rank));
                }
            }
            mine.copyTo(parts[root]);
            begun.await();
        }
    }

    /// The root has a part for each.
    ///
    /// @param all at the root, what goes to each rank
    public static void scatter(Team team, Parts all, Part mine, int root) {
        if (team.rank() != root) {
            team.recv(mine, root);
            return;
        }
        Part[] parts = parts(team, all);
        try (Begun begun = new Begun()) {
            for (int rank = 0; rank < parts.length; rank++) {
                if (rank != root) {
                    Request _ = begun.sends(team.isend(parts[rank], rank));
                }
            }
            parts[root].copyTo(mine);
            begun.await();
        }
    }

    /// Each part goes to all, round a ring.
    ///
    /// @param all where the part of each rank goes to
    public static void allgather(Team team, Part mine, Parts all) {
        Part[] parts = parts(team, all);
        mine.copyTo(parts[team.rank()]);
        for (int step = 0; step < team.size() - 1; step++) {
            team.exchange(
                    parts[team.behind(-step)],
                    team.behind(1),
                    parts[team.behind(-step - 1)],
                    team.behind(-1));
        }
    }

    /// Each has a part for each, and they exchange them in pairs.
    ///
    /// @param out what goes to each rank
    /// @param in where what comes from each rank goes to
    public static void alltoall(Team team, Parts out, Parts in) {
        Part[] theirs = parts(team, out);
        Part[] ours = parts(team, in);
        theirs[team.rank()].copyTo(ours[team.rank()]);
        for (int step = 1; step < team.size(); step++) {
            int to = team.behind(step);
            int from = team.behind(-step);
            team.exchange(theirs[to], to, ours[from], from);
        }
    }
}
