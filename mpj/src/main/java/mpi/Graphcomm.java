package mpi;

import java.util.Arrays;
import org.ibidem.mpj.ErrorClass;
import org.ibidem.mpj.Fault;

/// A communicator whose members are nodes of a graph.
public class Graphcomm extends Intracomm {
    private final int[] index;
    private final int[] edges;

    Graphcomm(
            World world, int[] members, int context, Errhandler handler, int[] index, int[] edges) {
        super(world, members, context, handler);
        this.index = index.clone();
        this.edges = edges.clone();
    }

    /// Refuses what is no graph.
    static void check(int[] index, int[] edges) {
        Fault.given(index, "index of the graph");
        Fault.given(edges, "array of edges");
        int before = 0;
        for (int end : index) {
            Fault.unless(
                    end >= before && end <= edges.length,
                    ErrorClass.TOPOLOGY,
                    "the index "
                            + Arrays.toString(index)
                            + " does not lead through "
                            + edges.length
                            + " edges");
            before = end;
        }
        for (int node : edges) {
            Fault.unless(
                    node >= 0 && node < index.length,
                    ErrorClass.TOPOLOGY,
                    "an edge leads to " + node + ", and there are " + index.length + " nodes");
        }
    }

    @Override
    Intracomm alike(int context) {
        return new Graphcomm(live(), local(), context, handler(), index, edges);
    }

    /// A communicator of the same graph; all of it call it.
    @Override
    @SuppressWarnings("CloneMethod") // part of the API
    public Object clone() {
        return super.clone();
    }

    /// What it was made of.
    public GraphParms Get() {
        return guarded(
                "Get",
                () -> {
                    GraphParms parms = new GraphParms();
                    parms.index = index.clone();
                    parms.edges = edges.clone();
                    return parms;
                });
    }

    /// The neighbours of a rank.
    public int[] Neighbours(int rank) {
        return guarded(
                "Neighbours",
                () -> {
                    peer(rank);
                    return Arrays.copyOfRange(edges, rank == 0 ? 0 : index[rank - 1], index[rank]);
                });
    }

    /// The rank this process would have in such a graph, or [MPI#UNDEFINED].
    public int Map(int[] index, int[] edges) {
        return guarded(
                "Map",
                () -> {
                    check(index, edges);
                    int rank = team().rank();
                    return rank < index.length ? rank : MPI.UNDEFINED;
                });
    }

    @Override
    public int Topo_test() {
        return guarded("Topo_test", () -> MPI.GRAPH);
    }
}
