package mpi;

/// What a Cartesian communicator was made of, and where this process is in it.
public class CartParms {
    /// Processes along each dimension.
    public int[] dims;

    /// Whether each dimension is a circle.
    public boolean[] periods;

    /// This process's place in each.
    public int[] coords;

    CartParms(int[] dims, boolean[] periods, int[] coords) {
        this.dims = dims;
        this.periods = periods;
        this.coords = coords;
    }
}
