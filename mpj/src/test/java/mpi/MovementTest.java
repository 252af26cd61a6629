package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// The collective operations that move data, on 1 to 5 ranks, against what they mean.
class MovementTest {
    /// What a rank sends of its own.
    private static int[] mine(int rank, int count) {
        return IntStream.range(0, count).map(i -> 1000 * rank + i).toArray();
    }

    @Test
    void nobody_leaves_a_barrier_before_all_have_come() {
        for (int size = 1; size <= 5; size++) {
            int ranks = size;
            AtomicInteger come = new AtomicInteger();
            Ranks.Over.KEPT.run(
                    size,
                    world -> {
                        for (int round = 1; round <= 50; round++) {
                            come.incrementAndGet();
                            world.Barrier();
                            assertThat(come.get()).isGreaterThanOrEqualTo(round * ranks);
                            world.Barrier();
                        }
                    });
        }
    }

    @Test
    void bcast_from_each_root() {
        Ranks.each(world -> {
            for (int root = 0; root < world.Size(); root++) {
                long[] values = {world.Rank(), -1, world.Rank(), 7};
                world.Bcast(values, 1, 2, MPI.LONG, root);
                long[] expected = {world.Rank(), -1, root, 7};
                if (world.Rank() == root) {
                    expected[2] = root;
                }
                assertThat(values).containsExactly(expected);
            }
        });
    }

    @Test
    void gather_and_scatter_with_each_root() {
        Ranks.each(world -> {
            int size = world.Size();
            int rank = world.Rank();
            for (int root = 0; root < size; root++) {
                int[] all = new int[3 * size + 1];
                world.Gather(
                        mine(rank, 3),
                        0,
                        3,
                        MPI.INT,
                        rank == root ? all : null,
                        1,
                        3,
                        MPI.INT,
                        root);
                int[] back = new int[3];
                world.Scatter(all, 1, 3, MPI.INT, back, 0, 3, MPI.INT, root);
                assertThat(back).containsExactly(mine(rank, 3));
                for (int from = 0; from < size && rank == root; from++) {
                    assertThat(Arrays.copyOfRange(all, 1 + 3 * from, 4 + 3 * from))
                            .containsExactly(mine(from, 3));
                }
            }
        });
    }

    private static final int NOWHERE = 1_000;

    /// Of no elements it does not matter where they would begin.
    @Test
    void blocks_without_elements_lie_anywhere() {
        Ranks.each(world -> {
            int size = world.Size();
            int[] none = new int[size];
            int[] anywhere = IntStream.range(0, size).map(i -> NOWHERE * (i + 1)).toArray();
            Datatype type = MPI.INT;
            int[] own = {world.Rank()};
            int[] all = {-1};
            for (int[] at :
                    new int[][] {anywhere, Arrays.stream(anywhere).map(i -> -i).toArray()}) {
                for (int root = 0; root < size; root++) {
                    world.Gatherv(own, at[root], 0, type, all, 0, none, at, type, root);
                    world.Scatterv(own, 0, none, at, type, all, at[root], 0, type, root);
                    world.Gather(own, at[root], 0, type, all, at[root], 0, type, root);
                    world.Scatter(own, at[root], 0, type, all, at[root], 0, type, root);
                    world.Bcast(all, at[root], 0, type, root);
                    world.Reduce(own, at[root], all, at[root], 0, type, MPI.SUM, root);
                }
                world.Allgatherv(own, at[0], 0, type, all, 0, none, at, type);
                world.Alltoallv(own, 0, none, at, type, all, 0, none, at, type);
                world.Allgather(own, at[0], 0, type, all, at[0], 0, type);
                world.Alltoall(own, at[0], 0, type, all, at[0], 0, type);
                world.Allreduce(own, at[0], all, at[0], 0, type, MPI.SUM);
                world.Scan(own, at[0], all, at[0], 0, type, MPI.SUM);
                world.Reduce_scatter(own, at[0], all, at[0], none, type, MPI.SUM);
                int next = (world.Rank() + 1) % size;
                world.Sendrecv(
                        own, at[0], 0, type, next, 1, all, at[0], 0, type, MPI.ANY_SOURCE, 1);
            }
            assertThat(own).containsExactly(world.Rank());
            assertThat(all).containsExactly(-1);
        });
    }

    /// Counts grow with the rank, displacements fall with it.
    @Test
    void gatherv_and_scatterv_with_each_root() {
        Ranks.each(world -> {
            int size = world.Size();
            int rank = world.Rank();
            int[] counts = IntStream.range(0, size).toArray();
            int[] displs = IntStream.range(0, size).map(r -> (size - 1 - r) * size).toArray();
            for (int root = 0; root < size; root++) {
                int[] all = new int[size * size];
                Arrays.fill(all, -1);
                world.Gatherv(
                        mine(rank, rank), 0, rank, MPI.INT, all, 0, counts, displs, MPI.INT, root);
                for (int from = 0; from < size && rank == root; from++) {
                    int[] block = Arrays.copyOfRange(all, displs[from], displs[from] + size);
                    assertThat(Arrays.copyOf(block, from)).containsExactly(mine(from, from));
                    assertThat(Arrays.copyOfRange(block, from, size)).containsOnly(-1);
                }
                int[] back = new int[rank];
                world.Scatterv(all, 0, counts, displs, MPI.INT, back, 0, rank, MPI.INT, root);
                assertThat(back).containsExactly(mine(rank, rank));
            }
        });
    }

    @Test
    void allgather_and_allgatherv() {
        Ranks.each(world -> {
            int size = world.Size();
            int rank = world.Rank();
            int[] all = new int[2 * size];
            world.Allgather(mine(rank, 2), 0, 2, MPI.INT, all, 0, 2, MPI.INT);
            int[] counts = IntStream.range(0, size).map(r -> 2 * r + 1).toArray();
            int[] displs = IntStream.range(0, size).map(r -> r * r + r).toArray();
            int[] some = new int[size * size + size];
            world.Allgatherv(
                    mine(rank, counts[rank]),
                    0,
                    counts[rank],
                    MPI.INT,
                    some,
                    0,
                    counts,
                    displs,
                    MPI.INT);
            for (int from = 0; from < size; from++) {
                assertThat(Arrays.copyOfRange(all, 2 * from, 2 * from + 2))
                        .containsExactly(mine(from, 2));
                assertThat(Arrays.copyOfRange(some, displs[from], displs[from] + counts[from]))
                        .containsExactly(mine(from, counts[from]));
            }
        });
    }

    @Test
    void alltoall_and_alltoallv() {
        Ranks.each(world -> {
            int size = world.Size();
            int rank = world.Rank();
            int[] out = IntStream.range(0, 2 * size).map(i -> 100 * rank + i).toArray();
            int[] in = new int[2 * size];
            world.Alltoall(out, 0, 2, MPI.INT, in, 0, 2, MPI.INT);
            for (int from = 0; from < size; from++) {
                assertThat(in[2 * from]).isEqualTo(100 * from + 2 * rank);
                assertThat(in[2 * from + 1]).isEqualTo(100 * from + 2 * rank + 1);
            }
            // rank r sends r + to elements to each
            int[] sends = IntStream.range(0, size).map(to -> rank + to).toArray();
            int[] places = IntStream.range(0, size).map(to -> 10 * to).toArray();
            int[] blocks = IntStream.range(0, 10 * size).map(i -> 1000 * rank + i).toArray();
            int[] came = new int[10 * size];
            world.Alltoallv(blocks, 0, sends, places, MPI.INT, came, 0, sends, places, MPI.INT);
            for (int from = 0; from < size; from++) {
                for (int i = 0; i < 10; i++) {
                    int expected = i < rank + from ? 1000 * from + 10 * rank + i : 0;
                    assertThat(came[10 * from + i]).isEqualTo(expected);
                }
            }
        });
    }

    /// The sender's columns become the receivers' rows.
    @Test
    void what_is_sent_and_what_is_received_may_have_other_layouts() {
        Ranks.each(world -> {
            int size = world.Size();
            int rank = world.Rank();
            Datatype column = Datatype.Vector(4, 1, size, MPI.DOUBLE);
            Datatype step =
                    Datatype.Struct(
                            new int[] {1, 1}, new int[] {0, 1}, new Datatype[] {column, MPI.UB});
            step.Commit();
            double[] matrix = new double[4 * size];
            Arrays.setAll(matrix, i -> 100 * rank + i);
            double[] rows = new double[4 * size];
            world.Alltoall(matrix, 0, 1, step, rows, 0, 4, MPI.DOUBLE);
            for (int from = 0; from < size; from++) {
                for (int i = 0; i < 4; i++) {
                    assertThat(rows[4 * from + i]).isEqualTo(100 * from + i * size + rank);
                }
            }
        });
    }

    @Test
    void objects_of_all_kinds_go_everywhere() {
        Ranks.each(world -> {
            int size = world.Size();
            int rank = world.Rank();
            Object[] all = new Object[size];
            world.Gather(new Object[] {"from " + rank}, 0, 1, MPI.OBJECT, all, 0, 1, MPI.OBJECT, 0);
            world.Bcast(all, 0, size, MPI.OBJECT, 0);
            for (int from = 0; from < size; from++) {
                assertThat(all[from]).isEqualTo("from " + from);
            }
            Object[] mine = new String[1];
            world.Scatter(all, 0, 1, MPI.OBJECT, mine, 0, 1, MPI.OBJECT, size - 1);
            assertThat(mine[0]).isEqualTo("from " + rank);
        });
    }
}
