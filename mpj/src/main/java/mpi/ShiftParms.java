package mpi;

/// The neighbours along a dimension.
public class ShiftParms {
    /// From whom to receive, or [MPI#PROC_NULL].
    public int rank_source;

    /// To whom to send, or [MPI#PROC_NULL].
    public int rank_dest;

    ShiftParms(int source, int destination) {
        this.rank_source = source;
        this.rank_dest = destination;
    }
}
