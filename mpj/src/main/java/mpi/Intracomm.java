package mpi;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.ibidem.mpj.ErrorClass;
import org.ibidem.mpj.Fault;
import org.ibidem.mpj.collective.Movement;
import org.ibidem.mpj.collective.Reduction;
import org.ibidem.mpj.data.Part;
import org.jspecify.annotations.Nullable;

/// A communicator of one group, which does things together.
public class Intracomm extends Comm {

    Intracomm(@Nullable World world, int[] members, int context, Errhandler handler) {
        super(world, members, members, context, handler);
    }

    /// As [Comm#Compare].
    public static int Compare(@Nullable Comm comm1, @Nullable Comm comm2) {
        return Comm.Compare(comm1, comm2);
    }

    /// Contexts for a new communicator, the same at all: those that rank 0 has.
    final int newContext() {
        int[] context = new int[1];
        do {
            context[0] = live().newContext();
            Movement.broadcast(team(), MPI.ints(context), 0);
        } while (context[0] < 0 && live().anyUses(team(), ~context[0]));
        return Math.max(context[0], ~context[0]);
    }

    private void together(String call, int root, Runnable work) {
        noted(
                call,
                root,
                () -> {
                    Agreement.check(this, call, root);
                    Fault.unless(
                            root == NO_ROOT || (root >= 0 && root < local().length),
                            ErrorClass.ROOT,
                            "there is no rank " + root + " in a communicator of " + local().length);
                    work.run();
                    return this;
                });
    }

    private boolean isRoot(int root) {
        return root >= 0 && root < local().length && local()[root] == device().id();
    }

    /// Who gives one colour becomes one communicator, in the order of the keys, then of the ranks
    /// here; null for who gives [MPI#UNDEFINED].
    public @Nullable Intracomm Split(int color, int key) {
        return noted(
                "Split",
                NO_ROOT,
                () -> {
                    Agreement.check(this, "Split", NO_ROOT);
                    int context = newContext();
                    int size = local().length;
                    int[] all = new int[2 * size];
                    Movement.allgather(
                            team(),
                            MPI.ints(new int[] {color, key}),
                            rank -> Part.of(all, 2 * rank, 2, MPI.INT.shape()));
                    Fault.unless(
                            color >= 0 || color == MPI.UNDEFINED,
                            ErrorClass.ARG,
                            "a colour of " + color);
                    if (color == MPI.UNDEFINED) {
                        return null;
                    }
                    List<Integer> ranks = new ArrayList<>();
                    for (int rank = 0; rank < size; rank++) {
                        if (all[2 * rank] == color) {
                            ranks.add(rank);
                        }
                    }
                    ranks.sort(
                            (one, other) -> Integer.compare(all[2 * one + 1], all[2 * other + 1]));
                    int[] members = ranks.stream().mapToInt(rank -> local()[rank]).toArray();
                    return new Intracomm(live(), members, context, handler());
                });
    }

    /// A communicator of the same group; all of it call it.
    @Override
    @SuppressWarnings({
        "MissingSuperCall",
        "CloneMethod"
    }) // part of the API, and no copy of an object
    public Object clone() {
        return noted(
                "clone",
                NO_ROOT,
                () -> {
                    Agreement.check(this, "clone", NO_ROOT);
                    return alike(newContext());
                });
    }

    /// One of the same group and kind.
    Intracomm alike(int context) {
        return new Intracomm(live(), local(), context, handler());
    }

    /// A communicator of some of this one's members; all of it call it, and who is not in it gets
    /// null.
    public @Nullable Intracomm Create(Group group) {
        return noted(
                "Create",
                NO_ROOT,
                () -> {
                    Agreement.check(this, "Create", NO_ROOT);
                    int context = newContext();
                    Fault.unless(group != null, ErrorClass.GROUP, "the group is null");
                    Fault.unless(
                            Group.isSubset(group.members(), local()),
                            ErrorClass.GROUP,
                            "the group has members that are not in the communicator");
                    return group.Rank() == MPI.UNDEFINED
                            ? null
                            : new Intracomm(live(), group.members(), context, handler());
                });
    }

    /// Waits until all have called it.
    public void Barrier() {
        together("Barrier", NO_ROOT, () -> Movement.barrier(team()));
    }

    /// The root's message goes to all.
    public void Bcast(Object buf, int offset, int count, Datatype type, int root) {
        together(
                "Bcast",
                root,
                () -> Movement.broadcast(team(), Datatype.part(buf, offset, count, type), root));
    }

    /// Blocks of a buffer, by rank.
    private static Movement.Parts blocks(Object buf, int offset, int count, Datatype type) {
        int extent = Datatype.checked(type).shape().extent();
        return rank -> Datatype.part(buf, offset + rank * count * extent, count, type);
    }

    private Movement.Parts blocks(
            Object buf, int offset, int[] counts, int[] displs, Datatype type) {
        int extent = Datatype.checked(type).shape().extent();
        Fault.given(counts, "array of counts");
        Fault.given(displs, "array of displacements");
        Fault.unless(
                counts.length >= local().length && displs.length >= local().length,
                ErrorClass.ARG,
                counts.length
                        + " counts and "
                        + displs.length
                        + " displacements for "
                        + local().length
                        + " processes");
        return rank -> Datatype.part(buf, offset + displs[rank] * extent, counts[rank], type);
    }

    /// Everybody's message goes to the root, which has them by rank.
    public void Gather(
            Object sendbuf,
            int sendoffset,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int recvoffset,
            int recvcount,
            Datatype recvtype,
            int root) {
        together(
                "Gather",
                root,
                () -> {
                    Part mine = Datatype.part(sendbuf, sendoffset, sendcount, sendtype);
                    Movement.Parts all =
                            isRoot(root)
                                    ? blocks(recvbuf, recvoffset, recvcount, recvtype)
                                    : rank -> mine;
                    Movement.gather(team(), mine, all, root);
                });
    }

    /// As [#Gather], with a count and a displacement for each; displacements are in extents of the
    /// datatype.
    public void Gatherv(
            Object sendbuf,
            int sendoffset,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int recvoffset,
            int[] recvcount,
            int[] displs,
            Datatype recvtype,
            int root) {
        together(
                "Gatherv",
                root,
                () -> {
                    Part mine = Datatype.part(sendbuf, sendoffset, sendcount, sendtype);
                    Movement.Parts all =
                            isRoot(root)
                                    ? blocks(recvbuf, recvoffset, recvcount, displs, recvtype)
                                    : rank -> mine;
                    Movement.gather(team(), mine, all, root);
                });
    }

    /// The root has a message for each.
    public void Scatter(
            Object sendbuf,
            int sendoffset,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int recvoffset,
            int recvcount,
            Datatype recvtype,
            int root) {
        together(
                "Scatter",
                root,
                () -> {
                    Part mine = Datatype.part(recvbuf, recvoffset, recvcount, recvtype);
                    Movement.Parts all =
                            isRoot(root)
                                    ? blocks(sendbuf, sendoffset, sendcount, sendtype)
                                    : rank -> mine;
                    Movement.scatter(team(), all, mine, root);
                });
    }

    /// As [#Scatter], with a count and a displacement for each; displacements are in extents of the
    /// datatype.
    public void Scatterv(
            Object sendbuf,
            int sendoffset,
            int[] sendcount,
            int[] displs,
            Datatype sendtype,
            Object recvbuf,
            int recvoffset,
            int recvcount,
            Datatype recvtype,
            int root) {
        together(
                "Scatterv",
                root,
                () -> {
                    Part mine = Datatype.part(recvbuf, recvoffset, recvcount, recvtype);
                    Movement.Parts all =
                            isRoot(root)
                                    ? blocks(sendbuf, sendoffset, sendcount, displs, sendtype)
                                    : rank -> mine;
                    Movement.scatter(team(), all, mine, root);
                });
    }

    /// Everybody's message goes to all, which have them by rank.
    public void Allgather(
            Object sendbuf,
            int sendoffset,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int recvoffset,
            int recvcount,
            Datatype recvtype) {
        together(
                "Allgather",
                NO_ROOT,
                () ->
                        Movement.allgather(
                                team(),
                                Datatype.part(sendbuf, sendoffset, sendcount, sendtype),
                                blocks(recvbuf, recvoffset, recvcount, recvtype)));
    }

    /// As [#Allgather], with a count and a displacement for each; displacements are in extents of
    /// the datatype.
    public void Allgatherv(
            Object sendbuf,
            int sendoffset,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int recvoffset,
            int[] recvcount,
            int[] displs,
            Datatype recvtype) {
        together(
                "Allgatherv",
                NO_ROOT,
                () ->
                        Movement.allgather(
                                team(),
                                Datatype.part(sendbuf, sendoffset, sendcount, sendtype),
                                blocks(recvbuf, recvoffset, recvcount, displs, recvtype)));
    }

    /// Everybody has a message for each.
    public void Alltoall(
            Object sendbuf,
            int sendoffset,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int recvoffset,
            int recvcount,
            Datatype recvtype) {
        together(
                "Alltoall",
                NO_ROOT,
                () ->
                        Movement.alltoall(
                                team(),
                                blocks(sendbuf, sendoffset, sendcount, sendtype),
                                blocks(recvbuf, recvoffset, recvcount, recvtype)));
    }

    /// As [#Alltoall], with counts and displacements for each; displacements are in extents of the
    /// datatype.
    public void Alltoallv(
            Object sendbuf,
            int sendoffset,
            int[] sendcount,
            int[] sdispls,
            Datatype sendtype,
            Object recvbuf,
            int recvoffset,
            int[] recvcount,
            int[] rdispls,
            Datatype recvtype) {
        together(
                "Alltoallv",
                NO_ROOT,
                () ->
                        Movement.alltoall(
                                team(),
                                blocks(sendbuf, sendoffset, sendcount, sdispls, sendtype),
                                blocks(recvbuf, recvoffset, recvcount, rdispls, recvtype)));
    }

    /// Everybody's elements are combined at the root.
    public void Reduce(
            Object sendbuf,
            int sendoffset,
            Object recvbuf,
            int recvoffset,
            int count,
            Datatype datatype,
            Op op,
            int root) {
        together(
                "Reduce",
                root,
                () -> {
                    Reduction.Operation operation = Op.with(op, datatype);
                    Part mine = Datatype.part(sendbuf, sendoffset, count, datatype);
                    Part into =
                            isRoot(root)
                                    ? Datatype.part(recvbuf, recvoffset, count, datatype)
                                    : mine;
                    Reduction.reduce(team(), mine, into, operation, root);
                });
    }

    /// Everybody's elements are combined, for all.
    public void Allreduce(
            Object sendbuf,
            int sendoffset,
            Object recvbuf,
            int recvoffset,
            int count,
            Datatype datatype,
            Op op) {
        together(
                "Allreduce",
                NO_ROOT,
                () ->
                        Reduction.allreduce(
                                team(),
                                Datatype.part(sendbuf, sendoffset, count, datatype),
                                Datatype.part(recvbuf, recvoffset, count, datatype),
                                Op.with(op, datatype)));
    }

    /// Everybody's elements are combined, and each gets its share of the result.
    public void Reduce_scatter(
            Object sendbuf,
            int sendoffset,
            Object recvbuf,
            int recvoffset,
            int[] recvcounts,
            Datatype datatype,
            Op op) {
        together(
                "Reduce_scatter",
                NO_ROOT,
                () -> {
                    int size = local().length;
                    Fault.given(recvcounts, "array of counts");
                    Fault.unless(
                            recvcounts.length >= size,
                            ErrorClass.ARG,
                            recvcounts.length + " counts for " + size + " processes");
                    int[] shares = Arrays.copyOf(recvcounts, size);
                    Fault.unless(
                            Arrays.stream(shares).noneMatch(share -> share < 0),
                            ErrorClass.COUNT,
                            "a count below 0");
                    Reduction.reduceScatter(
                            team(),
                            Datatype.part(
                                    sendbuf, sendoffset, Arrays.stream(shares).sum(), datatype),
                            shares,
                            Datatype.part(recvbuf, recvoffset, shares[team().rank()], datatype),
                            Op.with(op, datatype));
                });
    }

    /// The elements of all up to each rank are combined, for that.
    public void Scan(
            Object sendbuf,
            int sendoffset,
            Object recvbuf,
            int recvoffset,
            int count,
            Datatype datatype,
            Op op) {
        together(
                "Scan",
                NO_ROOT,
                () ->
                        Reduction.scan(
                                team(),
                                Datatype.part(sendbuf, sendoffset, count, datatype),
                                Datatype.part(recvbuf, recvoffset, count, datatype),
                                Op.with(op, datatype)));
    }

    /// A communicator whose members stand in a grid, the last coordinate the fastest; null for who
    /// has no place there.
    ///
    /// @param reorder ranks stay as they are in any case
    public @Nullable Cartcomm Create_cart(int[] dims, boolean[] periods, boolean reorder) {
        return noted(
                "Create_cart",
                NO_ROOT,
                () -> {
                    Agreement.check(this, "Create_cart", NO_ROOT);
                    int context = newContext();
                    Grid grid = Grid.of(dims, periods);
                    int[] members = first(grid.size());
                    return Arrays.stream(members).noneMatch(member -> member == device().id())
                            ? null
                            : new Cartcomm(live(), members, context, handler(), grid);
                });
    }

    /// A communicator whose members are nodes of a graph; null for who has no node.
    ///
    /// @param index by node, where the neighbours of the next one begin
    /// @param edges the neighbours of all
    /// @param reorder ranks stay as they are in any case
    public @Nullable Graphcomm Create_graph(int[] index, int[] edges, boolean reorder) {
        return noted(
                "Create_graph",
                NO_ROOT,
                () -> {
                    Agreement.check(this, "Create_graph", NO_ROOT);
                    int context = newContext();
                    Graphcomm.check(index, edges);
                    int[] members = first(index.length);
                    return Arrays.stream(members).noneMatch(member -> member == device().id())
                            ? null
                            : new Graphcomm(live(), members, context, handler(), index, edges);
                });
    }

    private int[] first(int size) {
        Fault.unless(
                size <= local().length,
                ErrorClass.TOPOLOGY,
                "a topology of " + size + " does not fit into a communicator of " + local().length);
        return Arrays.copyOf(local(), size);
    }
}
