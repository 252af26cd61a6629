package mpi;

import org.ibidem.mpj.ErrorClass;
import org.ibidem.mpj.Fault;
import org.jspecify.annotations.Nullable;

/// A communicator whose members stand in a grid.
public class Cartcomm extends Intracomm {
    private final Grid grid;

    Cartcomm(World world, int[] members, int context, Errhandler handler, Grid grid) {
        super(world, members, context, handler);
        this.grid = grid;
    }

    @Override
    Intracomm alike(int context) {
        return new Cartcomm(live(), local(), context, handler(), grid);
    }

    /// A communicator of the same grid; all of it call it.
    @Override
    @SuppressWarnings("CloneMethod") // part of the API
    public Object clone() {
        return super.clone();
    }

    /// The rank at a place.
    public int Rank(int[] coords) {
        return guarded("Rank", () -> grid.rank(coords));
    }

    /// The place of a rank.
    public int[] Coords(int rank) {
        return guarded("Coords", () -> grid.coords(rank));
    }

    /// Who is so many places before and behind this process along a dimension.
    public ShiftParms Shift(int direction, int disp) {
        return guarded(
                "Shift",
                () -> {
                    Fault.unless(
                            direction >= 0 && direction < grid.dims().length,
                            ErrorClass.ARG,
                            "there is no dimension "
                                    + direction
                                    + " in a grid of "
                                    + grid.dims().length);
                    int rank = team().rank();
                    return new ShiftParms(
                            grid.shifted(rank, direction, -disp),
                            grid.shifted(rank, direction, disp));
                });
    }

    /// The grid falls apart into grids of some of its dimensions; all of it call it.
    ///
    /// @param remain_dims which dimensions these have
    public Cartcomm Sub(boolean[] remain_dims) {
        return guarded(
                "Sub",
                () -> {
                    int[] coords = grid.coords(team().rank());
                    Fault.given(remain_dims, "array of choices");
                    Fault.unless(
                            remain_dims.length == coords.length,
                            ErrorClass.DIMS,
                            remain_dims.length + " choices for " + coords.length + " dimensions");
                    int color = 0;
                    int key = 0;
                    int kept = 0;
                    for (int i = 0; i < coords.length; i++) {
                        if (remain_dims[i]) {
                            key = key * grid.dims()[i] + coords[i];
                            kept++;
                        } else {
                            color = color * grid.dims()[i] + coords[i];
                        }
                    }
                    int[] dims = new int[kept];
                    boolean[] periods = new boolean[kept];
                    for (int i = coords.length - 1; i >= 0; i--) {
                        if (remain_dims[i]) {
                            dims[--kept] = grid.dims()[i];
                            periods[kept] = grid.periods()[i];
                        }
                    }
                    Intracomm part = Split(color, key);
                    if (part == null) { // a colour is never undefined here
                        throw new IllegalStateException("in no part of the grid");
                    }
                    return new Cartcomm(
                            live(),
                            part.local(),
                            part.context(),
                            handler(),
                            new Grid(dims, periods));
                });
    }

    /// The rank this process would have in such a grid, or [MPI#UNDEFINED].
    public int Map(int[] dims, boolean[] periods) {
        return guarded(
                "Map",
                () -> {
                    int rank = team().rank();
                    return rank < Grid.of(dims, periods).size() ? rank : MPI.UNDEFINED;
                });
    }

    /// What it was made of, and where this process is.
    public CartParms Get() {
        return guarded(
                "Get",
                () ->
                        new CartParms(
                                grid.dims().clone(),
                                grid.periods().clone(),
                                grid.coords(team().rank())));
    }

    @Override
    public int Topo_test() {
        return guarded("Topo_test", () -> MPI.CART);
    }

    /// Fills in the dimensions that are 0, as near to each other as they can be.
    public static void Dims_create(int nnodes, int @Nullable [] dims) {
        try {
            if (dims == null) {
                throw new Fault(ErrorClass.ARG, "the dimensions are null");
            }
            Grid.divide(nnodes, dims);
        } catch (Fault e) {
            throw World.failure("Dims_create", e);
        }
    }
}
