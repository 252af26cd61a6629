package mpi;

/// What a graph communicator was made of.
public class GraphParms {
    /// By rank, where the neighbours of the next one begin in [#edges].
    public int[] index = {};

    /// The neighbours of all, one rank's behind the other's.
    public int[] edges = {};

    /// With neither.
    public GraphParms() {}
}
