package org.ibidem.mpj.collective;

import org.ibidem.mpj.data.Part;
import org.ibidem.mpj.device.Begun;
import org.ibidem.mpj.device.Request;

/// Collective operations that combine data. Operands keep the order of ranks, unless the operation
/// commutes.
public final class Reduction {
    private Reduction() {}

    /// What combines.
    public interface Combine {
        /// Makes each element of `inout` what it is combined with that of `left`, on its left.
        void combine(Part left, Part inout);
    }

    /// How operands are combined.
    ///
    /// @param combine does it
    /// @param commutes whether the operands may change places
    public record Operation(Combine combine, boolean commutes) {}

    /// Combines the parts of all at the root, along a binomial tree.
    ///
    /// @param into at the root, where the result goes to
    public static void reduce(Team team, Part mine, Part into, Operation operation, int root) {
        int size = team.size();
        int top = operation.commutes() ? root : 0;
        int place = Math.floorMod(team.rank() - top, size);
        Part result = copy(mine);
        Part other = size == 1 ? result : mine.alike();
        for (int bit = 1; bit < size; bit <<= 1) {
            if ((place & bit) != 0) {
                team.send(result, (place - bit + top) % size);
                break;
            }
            if (place + bit < size) {
                team.recv(other, (place + bit + top) % size);
                operation.combine().combine(result, other);
                Part combined = other;
                other = result;
                result = combined;
            }
        }
        deliver(team, result, into, top, root);
    }

    private static void deliver(Team team, Part result, Part into, int top, int root) {
        if (team.rank() == top && top != root) {
            team.send(result, root);
        } else if (team.rank() == root && top != root) {
            team.recv(into, top);
        } else if (team.rank() == root) {
            result.copyTo(into);
        }
    }

    private static Part copy(Part part) {
        Part copy = part.alike();
        part.copyTo(copy);
        return copy;
    }

    /// Combines the parts of all, for all: once, so that all have the same result to the last bit.
    public static void allreduce(Team team, Part mine, Part into, Operation operation) {
        reduce(team, mine, into, operation, 0);
        Movement.broadcast(team, into, 0);
    }

    /// Combines the parts of all, and gives each its share of the result.
    ///
    /// @param shares of a whole like `mine`, what each rank gets
    public static void reduceScatter(
            Team team, Part mine, int[] shares, Part into, Operation operation) {
        Part whole = mine.alike();
        reduce(team, mine, whole, operation, 0);
        int[] before = new int[shares.length];
        for (int rank = 1; rank < shares.length; rank++) {
            before[rank] = before[rank - 1] + shares[rank - 1];
        }
        int extent = mine.shape().extent();
        Movement.scatter(
                team,
                rank -> whole.at(whole.offset() + before[rank] * extent, shares[rank]),
                into,
                0);
    }

    /// Combines at each the parts of all up to it: in each round what was combined goes to who is
    /// 1, 2, 4, … ranks further (Hillis and Steele, 1986).
    public static void scan(Team team, Part mine, Part into, Operation operation) {
        Part result = copy(mine);
        Part before = mine.alike();
        for (int distance = 1; distance < team.size(); distance <<= 1) {
            int from = team.rank() - distance;
            int to = team.rank() + distance;
            shift(team, from, before, to, result);
            if (from >= 0) {
                operation.combine().combine(before, result);
            }
        }
        result.copyTo(into);
    }

    /// Sends to one and receives from another, where there is such a rank.
    private static void shift(Team team, int from, Part in, int to, Part out) {
        try (Begun begun = new Begun()) {
            if (from >= 0) {
                Request _ = begun.receives(team.irecv(in, from));
            }
            if (to < team.size()) {
                Request _ = begun.sends(team.isend(out, to));
            }
            begun.await();
        }
    }
}
