package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// Grids and graphs.
class TopologyTest {
    private static int[] divided(int nodes, int... dims) {
        Cartcomm.Dims_create(nodes, dims);
        return dims;
    }

    @Test
    void dims_create_divides_as_evenly_as_can_be() {
        assertThat(divided(6, 0, 0)).containsExactly(3, 2);
        assertThat(divided(7, 0, 0)).containsExactly(7, 1);
        assertThat(divided(6, 0, 3, 0)).containsExactly(2, 3, 1);
        assertThat(divided(12, 0, 0)).containsExactly(4, 3);
        assertThat(divided(24, 0, 0, 0)).containsExactly(4, 3, 2);
        assertThat(divided(1, 0, 0)).containsExactly(1, 1);
        assertThat(divided(4, 2, 2)).containsExactly(2, 2);
        assertThat(divided(36, 0, 0)).containsExactly(6, 6);
    }

    @Test
    void a_grid_knows_places_and_neighbours() {
        Ranks.run(
                6,
                world -> {
                    Cartcomm grid =
                            world.Create_cart(new int[] {2, 3}, new boolean[] {false, true}, true);
                    int rank = grid.Rank();
                    int[] coords = grid.Coords(rank);
                    assertThat(coords).containsExactly(rank / 3, rank % 3);
                    assertThat(grid.Rank(coords)).isEqualTo(rank);
                    assertThat(grid.Rank(new int[] {1, -1})).isEqualTo(5);
                    assertThat(grid.Topo_test()).isEqualTo(MPI.CART);
                    ShiftParms down = grid.Shift(0, 1);
                    assertThat(down.rank_source).isEqualTo(rank < 3 ? MPI.PROC_NULL : rank - 3);
                    assertThat(down.rank_dest).isEqualTo(rank < 3 ? rank + 3 : MPI.PROC_NULL);
                    ShiftParms round = grid.Shift(1, -1);
                    assertThat(round.rank_dest).isEqualTo(rank / 3 * 3 + (rank + 2) % 3);
                    assertThat(round.rank_source).isEqualTo(rank / 3 * 3 + (rank + 1) % 3);
                    CartParms parms = grid.Get();
                    assertThat(parms.dims).containsExactly(2, 3);
                    assertThat(parms.periods).containsExactly(false, true);
                    assertThat(parms.coords).containsExactly(coords);
                    assertThat(grid.Map(new int[] {2, 2}, new boolean[2]))
                            .isEqualTo(rank < 4 ? rank : MPI.UNDEFINED);
                    Cartcomm copy = (Cartcomm) grid.clone();
                    assertThat(copy.Coords(4)).containsExactly(1, 1);
                    Cartcomm row = grid.Sub(new boolean[] {false, true});
                    assertThat(row.Size()).isEqualTo(3);
                    assertThat(row.Rank()).isEqualTo(rank % 3);
                    assertThat(row.Get().periods).containsExactly(true);
                    int[] sum = new int[1];
                    row.Allreduce(new int[] {rank}, 0, sum, 0, 1, MPI.INT, MPI.SUM);
                    assertThat(sum[0]).isEqualTo(rank < 3 ? 3 : 12);
                    assertThat(grid.Sub(new boolean[] {false, false}).Size()).isEqualTo(1);
                    assertThat(world.Topo_test()).isEqualTo(MPI.UNDEFINED);
                });
    }

    @Test
    void who_has_no_place_in_a_grid_gets_none() {
        Ranks.each(world -> {
            Cartcomm grid =
                    world.Create_cart(new int[] {(world.Size() + 1) / 2}, new boolean[1], false);
            assertThat(grid == null).isEqualTo(world.Rank() >= (world.Size() + 1) / 2);
        });
    }

    /// A star: 0 has all others for neighbours.
    @Test
    void a_graph_knows_neighbours() {
        Ranks.run(
                4,
                world -> {
                    int[] index = {3, 4, 5, 6};
                    int[] edges = {1, 2, 3, 0, 0, 0};
                    Graphcomm star = world.Create_graph(index, edges, false);
                    assertThat(star.Topo_test()).isEqualTo(MPI.GRAPH);
                    assertThat(star.Neighbours(0)).containsExactly(1, 2, 3);
                    assertThat(star.Neighbours(3)).containsExactly(0);
                    Graphcomm copy = (Graphcomm) star.clone();
                    assertThat(copy.Get().index).containsExactly(index);
                    assertThat(copy.Get().edges).containsExactly(edges);
                    assertThat(star.Map(new int[] {0, 0}, new int[0]))
                            .isEqualTo(world.Rank() < 2 ? world.Rank() : MPI.UNDEFINED);
                    int[] got = new int[1];
                    for (int neighbour : star.Neighbours(star.Rank())) {
                        star.Sendrecv(
                                new int[] {star.Rank()},
                                0,
                                1,
                                MPI.INT,
                                neighbour,
                                0,
                                got,
                                0,
                                1,
                                MPI.INT,
                                neighbour,
                                0);
                        assertThat(got[0]).isEqualTo(neighbour);
                    }
                    Graphcomm pair = world.Create_graph(new int[] {1, 2}, new int[] {1, 0}, false);
                    assertThat(pair == null).isEqualTo(world.Rank() > 1);
                });
    }
}
