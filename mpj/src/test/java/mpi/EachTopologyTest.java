package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Grids and graphs of 1 to 5 ranks, against what they mean.
class EachTopologyTest {
    /// All grids of two dimensions that so many ranks fill.
    private static List<int[]> grids(int size) {
        List<int[]> all = new ArrayList<>();
        for (int rows = 1; rows <= size; rows++) {
            if (size % rows == 0) {
                all.add(new int[] {rows, size / rows});
            }
        }
        return all;
    }

    @Test
    void grids_of_two_dimensions() {
        Ranks.each(world -> {
            for (int[] dims : grids(world.Size())) {
                for (int around = 0; around < 4; around++) {
                    boolean[] periods = {around % 2 == 1, around > 1};
                    Cartcomm grid = world.Create_cart(dims, periods, false);
                    int rank = grid.Rank();
                    int[] coords = {rank / dims[1], rank % dims[1]};
                    assertThat(grid.Get().dims).containsExactly(dims);
                    assertThat(grid.Get().periods).containsExactly(periods);
                    assertThat(grid.Get().coords).containsExactly(coords);
                    assertThat(grid.Coords(rank)).containsExactly(coords);
                    assertThat(grid.Rank(coords)).isEqualTo(rank);
                    for (int dimension = 0; dimension < 2; dimension++) {
                        shifts(grid, dims, periods, dimension);
                        rows(grid, dims, dimension);
                    }
                    grid.Free();
                    assertThat(grid.Is_null()).isTrue();
                }
            }
        });
    }

    private static void shifts(Cartcomm grid, int[] dims, boolean[] periods, int dimension) {
        for (int by = -2; by <= 2; by++) {
            ShiftParms shift = grid.Shift(dimension, by);
            assertThat(shift.rank_dest).isEqualTo(at(grid, dims, periods, dimension, by));
            assertThat(shift.rank_source).isEqualTo(at(grid, dims, periods, dimension, -by));
            int[] in = {MPI.PROC_NULL};
            grid.Sendrecv(
                    new int[] {grid.Rank()},
                    0,
                    1,
                    MPI.INT,
                    shift.rank_dest,
                    by + 2,
                    in,
                    0,
                    1,
                    MPI.INT,
                    shift.rank_source,
                    by + 2);
            assertThat(in[0]).isEqualTo(shift.rank_source);
        }
    }

    private static int at(Cartcomm grid, int[] dims, boolean[] periods, int dimension, int by) {
        int[] place = {grid.Rank() / dims[1], grid.Rank() % dims[1]};
        place[dimension] += by;
        if (periods[dimension]) {
            place[dimension] = Math.floorMod(place[dimension], dims[dimension]);
        }
        boolean inside = place[dimension] >= 0 && place[dimension] < dims[dimension];
        return inside ? place[0] * dims[1] + place[1] : MPI.PROC_NULL;
    }

    /// Of one dimension alone.
    private static void rows(Cartcomm grid, int[] dims, int dimension) {
        Cartcomm line = grid.Sub(new boolean[] {dimension == 0, dimension == 1});
        int[] coords = grid.Coords(grid.Rank());
        assertThat(line.Size()).isEqualTo(dims[dimension]);
        assertThat(line.Rank()).isEqualTo(coords[dimension]);
        int[] all = new int[line.Size()];
        line.Allgather(new int[] {grid.Rank()}, 0, 1, MPI.INT, all, 0, 1, MPI.INT);
        for (int i = 0; i < all.length; i++) {
            coords[dimension] = i;
            assertThat(all[i]).isEqualTo(grid.Rank(coords));
        }
    }

    /// A ring both ways: of one rank it leads to itself, twice.
    @Test
    void graphs_that_are_rings() {
        Ranks.each(world -> {
            int size = world.Size();
            int[] index = new int[size];
            int[] edges = new int[2 * size];
            for (int rank = 0; rank < size; rank++) {
                index[rank] = 2 * (rank + 1);
                edges[2 * rank] = (rank + 1) % size;
                edges[2 * rank + 1] = (rank + size - 1) % size;
            }
            Graphcomm ring = world.Create_graph(index, edges, true);
            assertThat(ring.Topo_test()).isEqualTo(MPI.GRAPH);
            GraphParms parms = ring.Get();
            assertThat(parms.index).containsExactly(index);
            assertThat(parms.edges).containsExactly(edges);
            for (int rank = 0; rank < size; rank++) {
                assertThat(ring.Neighbours(rank))
                        .containsExactly(edges[2 * rank], edges[2 * rank + 1]);
            }
            int[] in = new int[1];
            int[] near = ring.Neighbours(ring.Rank());
            int[] out = {ring.Rank()};
            ring.Sendrecv(out, 0, 1, MPI.INT, near[0], 0, in, 0, 1, MPI.INT, near[1], 0);
            assertThat(in).containsExactly(near[1]);
        });
    }

    /// As many dimensions as one wants, of which the product is the number of ranks, as even as can
    /// be, none smaller than the one behind it.
    @Test
    void dims_create_for_each_number_of_nodes() {
        for (int nodes = 1; nodes <= 60; nodes++) {
            for (int dimensions = 1; dimensions <= 3; dimensions++) {
                int[] dims = new int[dimensions];
                Cartcomm.Dims_create(nodes, dims);
                int product = 1;
                for (int i = 0; i < dimensions; i++) {
                    product *= dims[i];
                    assertThat(i == 0 || dims[i] <= dims[i - 1]).isTrue();
                }
                assertThat(product).isEqualTo(nodes);
                if (dimensions == 2) {
                    assertThat(dims[1]).isEqualTo(largestBelowRoot(nodes));
                }
            }
        }
    }

    private static int largestBelowRoot(int nodes) {
        int largest = 1;
        for (int i = 1; i * i <= nodes; i++) {
            largest = nodes % i == 0 ? i : largest;
        }
        return largest;
    }
}
