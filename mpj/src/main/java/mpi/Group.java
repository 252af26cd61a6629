package mpi;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import org.ibidem.mpj.ErrorClass;
import org.ibidem.mpj.Fault;
import org.jspecify.annotations.Nullable;

/// Processes in an order.
public class Group {
    /// What [#code] is of a group without members.
    public static final int EMPTY = 3;

    /// [#EMPTY] or 0.
    public int code;

    private static final String RANKS = "array of ranks";

    private final int[] members;
    private final int me;

    /// @param members by rank, their numbers in the device
    /// @param me the number of this process
    Group(int[] members, int me) {
        this.members = members;
        this.me = me;
        this.code = members.length == 0 ? EMPTY : 0;
    }

    int[] members() {
        return members;
    }

    private static Group checked(@Nullable Group group) {
        if (group == null) {
            throw new Fault(ErrorClass.GROUP, "the group is null");
        }
        return group;
    }

    private static int find(int[] members, int wanted) {
        for (int rank = 0; rank < members.length; rank++) {
            if (members[rank] == wanted) {
                return rank;
            }
        }
        return MPI.UNDEFINED;
    }

    /// How many members it has.
    public int Size() {
        return members.length;
    }

    /// This process's rank, or [MPI#UNDEFINED].
    public int Rank() {
        return find(members, me);
    }

    /// The rank of each process in a group of these; [MPI#ANY_SOURCE] of who is not in it.
    static int[] ranks(int[] processes) {
        int[] ranks = new int[Arrays.stream(processes).max().orElse(-1) + 1];
        Arrays.fill(ranks, MPI.ANY_SOURCE);
        for (int i = 0; i < processes.length; i++) {
            ranks[processes[i]] = i;
        }
        return ranks;
    }

    /// The ranks in another group of members of one; [MPI#UNDEFINED] of who is not in it.
    public static int[] Translate_ranks(Group group1, int[] ranks1, Group group2) {
        return guarded(
                "Translate_ranks",
                () -> {
                    int[] from = checked(group1).members;
                    int[] to = checked(group2).members;
                    int[] translated = new int[Fault.given(ranks1, RANKS).length];
                    for (int i = 0; i < translated.length; i++) {
                        translated[i] =
                                ranks1[i] == MPI.PROC_NULL
                                        ? MPI.PROC_NULL
                                        : find(to, member(from, ranks1[i]));
                    }
                    return translated;
                });
    }

    private static int member(int[] members, int rank) {
        Fault.unless(
                rank >= 0 && rank < members.length,
                ErrorClass.RANK,
                "there is no rank " + rank + " in a group of " + members.length);
        return members[rank];
    }

    /// [MPI#IDENT], [MPI#SIMILAR] when the order differs, or [MPI#UNEQUAL].
    public static int Compare(Group group1, Group group2) {
        return guarded("Compare", () -> compare(checked(group1).members, checked(group2).members));
    }

    static int compare(int[] one, int[] other) {
        if (Arrays.equals(one, other)) {
            return MPI.IDENT;
        }
        int[] sorted = one.clone();
        int[] others = other.clone();
        Arrays.sort(sorted);
        Arrays.sort(others);
        return Arrays.equals(sorted, others) ? MPI.SIMILAR : MPI.UNEQUAL;
    }

    /// The members of the first, then those of the second that are not in it.
    public static Group Union(Group group1, Group group2) {
        return guarded(
                "Union",
                () -> {
                    int[] one = checked(group1).members;
                    List<Integer> all = new ArrayList<>(list(one));
                    all.addAll(
                            list(kept(checked(group2).members, member -> find(one, member) < 0)));
                    return group1.of(all.stream().mapToInt(Integer::intValue).toArray(), group2);
                });
    }

    private static List<Integer> list(int[] members) {
        return Arrays.stream(members).boxed().toList();
    }

    private static int[] kept(int[] members, IntPredicate which) {
        return Arrays.stream(members).filter(which).toArray();
    }

    /// A group knows which process it is in, but for the empty one that all share.
    private Group of(int[] some, Group other) {
        return new Group(some, me >= 0 ? me : other.me);
    }

    /// The members of the first that are in the second.
    public static Group Intersection(Group group1, Group group2) {
        return guarded(
                "Intersection",
                () -> {
                    int[] other = checked(group2).members;
                    return checked(group1)
                            .of(kept(group1.members, member -> find(other, member) >= 0), group2);
                });
    }

    /// The members of the first that are not in the second.
    public static Group Difference(Group group1, Group group2) {
        return guarded(
                "Difference",
                () -> {
                    int[] other = checked(group2).members;
                    return checked(group1)
                            .of(kept(group1.members, member -> find(other, member) < 0), group2);
                });
    }

    /// The members of these ranks, in this order.
    public Group Incl(int[] ranks) {
        return guarded(
                "Incl",
                () -> {
                    int[] some = new int[Fault.given(ranks, RANKS).length];
                    for (int i = 0; i < some.length; i++) {
                        some[i] = member(members, ranks[i]);
                    }
                    Fault.unless(
                            Arrays.stream(some).distinct().count() == some.length,
                            ErrorClass.RANK,
                            "a rank is named twice in " + Arrays.toString(ranks));
                    return new Group(some, me);
                });
    }

    /// All members but those of these ranks.
    public Group Excl(int[] ranks) {
        return guarded(
                "Excl",
                () -> {
                    int[] out = Incl(ranks).members;
                    return new Group(kept(members, member -> find(out, member) < 0), me);
                });
    }

    /// The members of ranges of ranks: each a first, a last and a stride.
    public Group Range_incl(int[][] ranges) {
        return guarded("Range_incl", () -> Incl(ranks(ranges)));
    }

    /// All members but those of ranges of ranks: each a first, a last and a stride.
    public Group Range_excl(int[][] ranges) {
        return guarded("Range_excl", () -> Excl(ranks(ranges)));
    }

    private int[] ranks(int[][] ranges) {
        List<Integer> ranks = new ArrayList<>();
        for (int[] range : Fault.given(ranges, "array of ranges")) {
            Fault.unless(
                    Fault.given(range, "range").length == 3 && range[2] != 0,
                    ErrorClass.ARG,
                    "a range is a first, a last and a stride that is not 0, not "
                            + Arrays.toString(range));
            for (int rank = range[0];
                    range[2] > 0 ? rank <= range[1] : rank >= range[1];
                    rank += range[2]) {
                member(members, rank);
                ranks.add(rank);
            }
        }
        return ranks.stream().mapToInt(Integer::intValue).toArray();
    }

    /// Nothing: memory frees itself.
    public void free() {}

    /// As [#free].
    public void Free() {}

    /// Nothing: memory frees itself.
    @Override
    @SuppressWarnings({"removal", "Finalize"}) // part of the API
    public void finalize() {}

    /// Does it, and names the call in an error.
    private static <T> T guarded(String call, Work<T> work) {
        try {
            return work.done();
        } catch (Fault e) {
            throw World.failure(call, e);
        }
    }

    /// Whether all of the first are in the second.
    static boolean isSubset(int[] some, int[] all) {
        return Arrays.stream(some)
                .allMatch(one -> Arrays.stream(all).anyMatch(each -> each == one));
    }
}
