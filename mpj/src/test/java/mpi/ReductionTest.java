package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.IntBinaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// The collective operations that combine data, on 1 to 5 ranks, against what they mean.
class ReductionTest {
    private static final List<Datatype> NUMBERS =
            List.of(MPI.BYTE, MPI.CHAR, MPI.SHORT, MPI.INT, MPI.LONG, MPI.FLOAT, MPI.DOUBLE);

    private static final List<Datatype> WHOLE = NUMBERS.subList(0, 5);

    private static final Map<Op, IntBinaryOperator> ARITHMETIC =
            Map.of(
                    MPI.MAX,
                    Math::max,
                    MPI.MIN,
                    Math::min,
                    MPI.SUM,
                    Integer::sum,
                    MPI.PROD,
                    (a, b) -> a * b);

    private static final Map<Op, IntBinaryOperator> LOGIC =
            Map.of(
                    MPI.LAND, (a, b) -> a != 0 && b != 0 ? 1 : 0,
                    MPI.LOR, (a, b) -> a != 0 || b != 0 ? 1 : 0,
                    MPI.LXOR, (a, b) -> (a != 0) != (b != 0) ? 1 : 0,
                    MPI.BAND, (a, b) -> a & b,
                    MPI.BOR, (a, b) -> a | b,
                    MPI.BXOR, (a, b) -> a ^ b);

    /// What rank contributes as element i: small, so that bytes hold what comes of it.
    private static int value(int rank, int i) {
        return (rank + i) % 3;
    }

    private static Object array(Datatype type, int length) {
        return type.shape().kind().make(length);
    }

    private static void set(Object array, int i, int value) {
        switch (array) {
            case byte[] a -> a[i] = (byte) value;
            case char[] a -> a[i] = (char) value;
            case short[] a -> a[i] = (short) value;
            case boolean[] a -> a[i] = value != 0;
            default -> Array.setInt(array, i, value);
        }
    }

    private static double get(Object array, int i) {
        return array instanceof boolean[] a ? a[i] ? 1 : 0 : Array.getDouble(array, i);
    }

    private static int combined(IntBinaryOperator op, int ranks, int i) {
        return IntStream.range(0, ranks).map(rank -> value(rank, i)).reduce(op).orElseThrow();
    }

    @Test
    void predefined_operations_on_each_basic_type() {
        Ranks.each(world -> {
            for (Datatype type : NUMBERS) {
                for (var op : ARITHMETIC.entrySet()) {
                    allreduce(world, type, op.getKey(), op.getValue());
                }
            }
            for (Datatype type : WHOLE) {
                for (var op : LOGIC.entrySet()) {
                    allreduce(world, type, op.getKey(), op.getValue());
                }
            }
            for (var op : LOGIC.entrySet()) {
                IntBinaryOperator truth =
                        (a, b) -> op.getValue().applyAsInt(a != 0 ? 1 : 0, b != 0 ? 1 : 0);
                int count = 5;
                Object mine = new boolean[count];
                boolean[] all = new boolean[count];
                for (int i = 0; i < count; i++) {
                    set(mine, i, value(world.Rank(), i));
                }
                world.Allreduce(mine, 0, all, 0, count, MPI.BOOLEAN, op.getKey());
                for (int i = 0; i < count; i++) {
                    int at = i;
                    int expected =
                            IntStream.range(0, world.Size())
                                    .map(rank -> value(rank, at) != 0 ? 1 : 0)
                                    .reduce(truth)
                                    .orElseThrow();
                    assertThat(all[i]).isEqualTo(expected != 0);
                }
            }
        });
    }

    private static void allreduce(
            Intracomm world, Datatype type, Op op, IntBinaryOperator meaning) {
        int count = 5;
        Object mine = array(type, count + 1);
        Object all = array(type, count + 2);
        for (int i = 0; i < count; i++) {
            set(mine, i + 1, value(world.Rank(), i));
        }
        world.Allreduce(mine, 1, all, 2, count, type, op);
        for (int i = 0; i < count; i++) {
            double expected = combined(meaning, world.Size(), i);
            if (world.Size() == 1) {
                expected = value(0, i); // nothing is combined
            }
            assertThat(get(all, i + 2)).isEqualTo(expected);
            assertThat(get(mine, i + 1)).as("what was sent").isEqualTo(value(world.Rank(), i));
        }
    }

    @Test
    void reduce_gives_the_root_alone_the_result() {
        Ranks.each(world -> {
            for (int root = 0; root < world.Size(); root++) {
                int[] result = {-1, -1};
                world.Reduce(new int[] {world.Rank(), 1}, 0, result, 0, 2, MPI.INT, MPI.SUM, root);
                int size = world.Size();
                int[] sums = {size * (size - 1) / 2, size};
                assertThat(result)
                        .containsExactly(world.Rank() == root ? sums : new int[] {-1, -1});
            }
        });
    }

    /// Matrices do not commute.
    private static final Op MATRICES =
            new Op(
                    new User_function() {
                        @Override
                        public void Call(
                                Object in,
                                int at,
                                Object inout,
                                int into,
                                int count,
                                Datatype type) {
                            long[] a = (long[]) in;
                            long[] b = (long[]) inout;
                            for (int i = 0; i < 4 * count; i += 4) {
                                long[] product =
                                        product(
                                                Arrays.copyOfRange(a, at + i, at + i + 4),
                                                Arrays.copyOfRange(b, into + i, into + i + 4));
                                System.arraycopy(product, 0, b, into + i, 4);
                            }
                        }
                    },
                    false);

    private static long[] product(long[] a, long[] b) {
        return new long[] {
            a[0] * b[0] + a[1] * b[2],
            a[0] * b[1] + a[1] * b[3],
            a[2] * b[0] + a[3] * b[2],
            a[2] * b[1] + a[3] * b[3]
        };
    }

    private static long[] matrix(int rank) {
        return new long[] {rank + 1, 2, rank, 1};
    }

    private static long[] product(int first, int last) {
        long[] product = matrix(first);
        for (int rank = first + 1; rank <= last; rank++) {
            product = product(product, matrix(rank));
        }
        return product;
    }

    @Test
    void operations_that_do_not_commute_keep_the_order_of_ranks() {
        for (int size = 1; size <= 9; size++) {
            Ranks.run(
                    size,
                    world -> {
                        Datatype type = Datatype.Contiguous(4, MPI.LONG);
                        type.Commit();
                        int last = world.Size() - 1;
                        long[] result = new long[4];
                        for (int root = 0; root <= last; root++) {
                            Arrays.fill(result, 0);
                            world.Reduce(
                                    matrix(world.Rank()), 0, result, 0, 1, type, MATRICES, root);
                            assertThat(result)
                                    .containsExactly(
                                            world.Rank() == root ? product(0, last) : new long[4]);
                        }
                        world.Allreduce(matrix(world.Rank()), 0, result, 0, 1, type, MATRICES);
                        assertThat(result).containsExactly(product(0, last));
                        world.Scan(matrix(world.Rank()), 0, result, 0, 1, type, MATRICES);
                        assertThat(result).containsExactly(product(0, world.Rank()));
                    });
        }
    }

    @Test
    void scan_combines_all_up_to_each() {
        Ranks.each(world -> {
            int rank = world.Rank();
            double[] result = new double[3];
            world.Scan(new double[] {1, rank, -rank}, 0, result, 0, 3, MPI.DOUBLE, MPI.SUM);
            double sum = rank * (rank + 1) / 2.0;
            assertThat(result).containsExactly(rank + 1, sum, 0 - sum);
        });
    }

    @Test
    void reduce_scatter_gives_each_its_share() {
        Ranks.each(world -> {
            int size = world.Size();
            int rank = world.Rank();
            int[] shares = IntStream.range(0, size).map(r -> (r + 1) % 3).toArray();
            int total = Arrays.stream(shares).sum();
            int[] mine = IntStream.range(0, total).map(i -> i * (rank + 1)).toArray();
            int[] result = new int[shares[rank] + 1];
            world.Reduce_scatter(mine, 0, result, 1, shares, MPI.INT, MPI.SUM);
            int before = Arrays.stream(shares).limit(rank).sum();
            for (int i = 0; i < shares[rank]; i++) {
                assertThat(result[i + 1]).isEqualTo((before + i) * size * (size + 1) / 2);
            }
        });
    }

    @Test
    void the_extreme_and_where_it_is() {
        Ranks.each(world -> {
            int size = world.Size();
            int rank = world.Rank();
            // the first pair is equal everywhere, the second grows with the rank
            double[] mine = {5, 10 + rank, rank, rank};
            double[] most = new double[4];
            double[] least = new double[4];
            world.Allreduce(mine, 0, most, 0, 2, MPI.DOUBLE2, MPI.MAXLOC);
            world.Allreduce(mine, 0, least, 0, 2, MPI.DOUBLE2, MPI.MINLOC);
            assertThat(most).containsExactly(5, 10, size - 1, size - 1);
            assertThat(least).containsExactly(5, 10, 0, 0);
            int[] ints = {rank == size / 2 ? -1 : rank, rank};
            int[] where = new int[2];
            world.Allreduce(ints, 0, where, 0, 1, MPI.INT2, MPI.MINLOC);
            assertThat(where).containsExactly(-1, size / 2);
            for (Datatype pair : List.of(MPI.SHORT2, MPI.LONG2, MPI.FLOAT2)) {
                Object values = array(pair, 2);
                set(values, 0, 3);
                set(values, 1, rank);
                Object result = array(pair, 2);
                world.Allreduce(values, 0, result, 0, 1, pair, MPI.MAXLOC);
                assertThat(get(result, 0)).isEqualTo(3);
                assertThat(get(result, 1)).isEqualTo(0);
            }
        });
    }

    @Test
    void predefined_operations_leave_the_gaps_of_a_datatype_alone() {
        Ranks.each(world -> {
            Datatype type = Datatype.Vector(3, 1, 2, MPI.INT);
            type.Commit();
            int[] mine = {1, 50, 2, 50, 3, 50};
            int[] result = {0, 9, 0, 9, 0, 9};
            world.Allreduce(mine, 0, result, 0, 1, type, MPI.SUM);
            int size = world.Size();
            assertThat(result).containsExactly(size, 9, 2 * size, 9, 3 * size, 9);
        });
    }

    @Test
    void user_operations_on_objects() {
        Op concat =
                new Op(
                        new User_function() {
                            @Override
                            public void Call(
                                    Object in,
                                    int at,
                                    Object inout,
                                    int into,
                                    int count,
                                    Datatype type) {
                                for (int i = 0; i < count; i++) {
                                    ((Object[]) inout)[into + i] =
                                            ""
                                                    + ((Object[]) in)[at + i]
                                                    + ((Object[]) inout)[into + i];
                                }
                            }
                        },
                        false);
        Ranks.each(world -> {
            Object[] result = new Object[2];
            world.Allreduce(
                    new Object[] {"" + world.Rank(), "x"}, 0, result, 0, 2, MPI.OBJECT, concat);
            assertThat(result)
                    .containsExactly("01234".substring(0, world.Size()), "x".repeat(world.Size()));
        });
    }

    @Test
    void an_operation_of_a_users_that_commutes() {
        Op largest =
                new Op(
                        new User_function() {
                            @Override
                            public void Call(
                                    Object in,
                                    int at,
                                    Object inout,
                                    int into,
                                    int count,
                                    Datatype type) {
                                int[] a = (int[]) in;
                                int[] b = (int[]) inout;
                                for (int i = 0; i < count; i++) {
                                    b[into + i] = Math.max(a[at + i], b[into + i]);
                                }
                            }
                        },
                        true);
        assertThat(largest.Is_commutative()).isTrue();
        Ranks.each(world -> {
            int rank = world.Rank();
            int[] result = {-1, -1};
            world.Allreduce(new int[] {7 * rank % 5, -rank}, 0, result, 0, 2, MPI.INT, largest);
            int most =
                    IntStream.range(0, world.Size()).map(each -> 7 * each % 5).max().orElseThrow();
            assertThat(result).containsExactly(most, 0);
        });
    }
}
