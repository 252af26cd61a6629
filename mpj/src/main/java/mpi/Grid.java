package mpi;

import java.util.Arrays;
import org.ibidem.mpj.ErrorClass;
import org.ibidem.mpj.Fault;
import org.jspecify.annotations.Nullable;

/// Places in a grid, the last coordinate the fastest.
///
/// @param dims places along each dimension
/// @param periods whether each is a circle
record Grid(int[] dims, boolean[] periods) {
    static Grid of(int[] dims, boolean[] periods) {
        Fault.given(dims, "array of dimensions");
        Fault.given(periods, "array of periods");
        Fault.unless(
                dims.length == periods.length,
                ErrorClass.DIMS,
                dims.length + " dimensions and " + periods.length + " periods");
        long size = 1;
        for (int places : dims) {
            Fault.unless(places > 0, ErrorClass.DIMS, "a dimension of " + places);
            size *= places;
            Fault.unless(size <= Integer.MAX_VALUE, ErrorClass.DIMS, "a grid of too many places");
        }
        return new Grid(dims.clone(), periods.clone());
    }

    int size() {
        return Arrays.stream(dims).reduce(1, (a, b) -> a * b);
    }

    int rank(int[] coords) {
        Fault.given(coords, "array of coordinates");
        Fault.unless(
                coords.length >= dims.length,
                ErrorClass.ARG,
                coords.length + " coordinates in " + dims.length + " dimensions");
        int rank = 0;
        for (int i = 0; i < dims.length; i++) {
            Fault.unless(
                    periods[i] || (coords[i] >= 0 && coords[i] < dims[i]),
                    ErrorClass.ARG,
                    "there is no coordinate "
                            + coords[i]
                            + " in a dimension of "
                            + dims[i]
                            + " that is no circle");
            rank = rank * dims[i] + Math.floorMod(coords[i], dims[i]);
        }
        return rank;
    }

    int[] coords(int rank) {
        Fault.unless(
                rank >= 0 && rank < size(),
                ErrorClass.RANK,
                "there is no rank " + rank + " in a grid of " + size());
        int[] coords = new int[dims.length];
        int rest = rank;
        for (int i = dims.length - 1; i >= 0; i--) {
            coords[i] = rest % dims[i];
            rest /= dims[i];
        }
        return coords;
    }

    /// Who is so many places further, or nobody.
    int shifted(int rank, int direction, int places) {
        int[] coords = coords(rank);
        long to = (long) coords[direction] + places;
        if (!periods[direction] && (to < 0 || to >= dims[direction])) {
            return MPI.PROC_NULL;
        }
        coords[direction] = (int) Math.floorMod(to, (long) dims[direction]);
        return rank(coords);
    }

    /// Fills in the dimensions that are 0, as near to each other as they can be, the greater first.
    static void divide(int nodes, int[] dims) {
        Fault.unless(nodes > 0, ErrorClass.DIMS, "a grid of " + nodes + " processes");
        long given = 1;
        int open = 0;
        for (int places : dims) {
            Fault.unless(places >= 0, ErrorClass.DIMS, "a dimension of " + places);
            given *= places == 0 ? 1 : places;
            open += places == 0 ? 1 : 0;
        }
        Fault.unless(
                nodes % given == 0 && (open > 0 || given == nodes),
                ErrorClass.DIMS,
                nodes + " processes cannot be divided into dimensions " + Arrays.toString(dims));
        int[] free = nearest((int) (nodes / given), open, Integer.MAX_VALUE);
        int next = 0;
        for (int i = 0; i < dims.length; i++) {
            if (dims[i] == 0 && free != null) {
                dims[i] = free[next++];
            }
        }
    }

    /// So many factors, none above `most`, each next one no greater, the first as small as can be;
    /// or null.
    private static int @Nullable [] nearest(int product, int factors, int most) {
        if (factors == 0) {
            return product == 1 ? new int[0] : null;
        }
        for (int first = 1; first <= Math.min(most, product); first++) {
            int[] rest = product % first == 0 ? nearest(product / first, factors - 1, first) : null;
            if (rest != null) {
                int[] all = new int[factors];
                all[0] = first;
                System.arraycopy(rest, 0, all, 1, rest.length);
                return all;
            }
        }
        return null;
    }
}
