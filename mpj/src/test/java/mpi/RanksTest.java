package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class RanksTest {
    @Test
    void messages_go_round_a_ring() {
        Ranks.each(world -> {
            int rank = world.Rank();
            int size = world.Size();
            int[] token = {rank};
            int[] got = new int[1];
            Status status =
                    world.Sendrecv(
                            token,
                            0,
                            1,
                            MPI.INT,
                            (rank + 1) % size,
                            7,
                            got,
                            0,
                            1,
                            MPI.INT,
                            MPI.ANY_SOURCE,
                            7);
            assertThat(got[0]).isEqualTo((rank + size - 1) % size);
            assertThat(status.source).isEqualTo(got[0]);
            assertThat(status.Get_count(MPI.INT)).isEqualTo(1);
        });
    }

    @Test
    void all_have_the_sum() {
        Ranks.each(world -> {
            double[] mine = new double[1000];
            Arrays.fill(mine, world.Rank() + 1);
            double[] sum = new double[1000];
            world.Reduce(mine, 0, sum, 0, 1000, MPI.DOUBLE, MPI.SUM, 0);
            world.Bcast(sum, 0, 1000, MPI.DOUBLE, 0);
            int size = world.Size();
            assertThat(sum).containsOnly(size * (size + 1) / 2.0);
        });
    }

    @Test
    void objects_travel() {
        Ranks.each(world -> {
            Object[] objects = {"rank " + world.Rank(), null, new int[] {world.Rank()}};
            Object[] all = new Object[3 * world.Size()];
            world.Allgather(objects, 0, 3, MPI.OBJECT, all, 0, 3, MPI.OBJECT);
            for (int rank = 0; rank < world.Size(); rank++) {
                assertThat(all[3 * rank]).isEqualTo("rank " + rank);
                assertThat(all[3 * rank + 1]).isNull();
                assertThat((int[]) all[3 * rank + 2]).containsExactly(rank);
            }
        });
    }
}
