package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Objects in every operation that takes a datatype, on 1 to 5 ranks; so with strings, null and
/// objects of a program's own class, of whatever length.
class ObjectsTest {
    /// Of a program's own.
    private record Item(int from, int number, List<String> words) implements Serializable {}

    /// Longer ones are among them, beyond what leaves at once over a little network.
    private static Object item(int from, int number) {
        return switch (number % 4) {
            case 0 -> "from " + from + ", " + number;
            case 1 -> null;
            case 2 -> new Item(from, number, List.of("x".repeat(number * 300), "y"));
            default -> List.of(from, number);
        };
    }

    private static Object[] items(int from, int first, int count) {
        return IntStream.range(first, first + count).mapToObj(i -> item(from, i)).toArray();
    }

    /// Counts grow with the rank, displacements fall with it.
    @Test
    void gatherv_scatterv_and_allgatherv() {
        Ranks.each(world -> {
            int size = world.Size();
            int rank = world.Rank();
            int[] counts = IntStream.range(0, size).map(r -> 2 * r).toArray();
            int[] places = IntStream.range(0, size).map(r -> (size - 1 - r) * 2 * size).toArray();
            Object[] expected = new Object[2 * size * size];
            for (int from = 0; from < size; from++) {
                System.arraycopy(
                        items(from, 0, counts[from]), 0, expected, places[from], counts[from]);
            }
            Object[] mine = items(rank, 0, counts[rank]);
            Object[] all = new Object[expected.length];
            world.Allgatherv(mine, 0, mine.length, MPI.OBJECT, all, 0, counts, places, MPI.OBJECT);
            assertThat(all).containsExactly(expected);
            for (int root = 0; root < size; root++) {
                Object[] into = new Object[expected.length];
                world.Gatherv(
                        mine,
                        0,
                        mine.length,
                        MPI.OBJECT,
                        into,
                        0,
                        counts,
                        places,
                        MPI.OBJECT,
                        root);
                assertThat(into).containsExactly(rank == root ? expected : new Object[into.length]);
                Object[] back = new Object[mine.length];
                world.Scatterv(
                        into,
                        0,
                        counts,
                        places,
                        MPI.OBJECT,
                        back,
                        0,
                        back.length,
                        MPI.OBJECT,
                        root);
                assertThat(back).containsExactly(mine);
            }
        });
    }

    @Test
    void alltoall_and_alltoallv() {
        Ranks.each(world -> {
            int size = world.Size();
            int rank = world.Rank();
            Object[] in = new Object[3 * size];
            world.Alltoall(items(rank, 0, 3 * size), 0, 3, MPI.OBJECT, in, 0, 3, MPI.OBJECT);
            Object[] expected = new Object[5 * size];
            int[] counts = IntStream.range(0, size).map(to -> (rank + to) % 5).toArray();
            int[] places = IntStream.range(0, size).map(to -> 5 * to).toArray();
            for (int from = 0; from < size; from++) {
                assertThat(Arrays.copyOfRange(in, 3 * from, 3 * from + 3))
                        .containsExactly(items(from, 3 * rank, 3));
                System.arraycopy(
                        items(from, 5 * rank, counts[from]), 0, expected, 5 * from, counts[from]);
            }
            Object[] came = new Object[5 * size];
            world.Alltoallv(
                    items(rank, 0, 5 * size),
                    0,
                    counts,
                    places,
                    MPI.OBJECT,
                    came,
                    0,
                    counts,
                    places,
                    MPI.OBJECT);
            assertThat(came).containsExactly(expected);
        });
    }

    /// Texts are joined, which does not commute, or their letters put in order, which does.
    private static Op joining(boolean sorted) {
        return new Op(
                new User_function() {
                    @Override
                    public void Call(
                            Object in, int at, Object inout, int into, int count, Datatype type) {
                        for (int i = 0; i < count; i++) {
                            String both =
                                    "" + ((Object[]) in)[at + i] + ((Object[]) inout)[into + i];
                            char[] letters = both.toCharArray();
                            if (sorted) {
                                Arrays.sort(letters);
                            }
                            ((Object[]) inout)[into + i] = new String(letters);
                        }
                    }
                },
                sorted);
    }

    /// What a rank adds to element i.
    private static String letters(int rank, int i) {
        return "" + (char) ('a' + rank) + (char) ('z' - i);
    }

    private static Object[] joined(int ranks, int first, int count, boolean sorted) {
        Object[] all = new Object[count];
        for (int i = 0; i < count; i++) {
            StringBuilder text = new StringBuilder();
            for (int rank = 0; rank < ranks; rank++) {
                text.append(letters(rank, first + i));
            }
            char[] letters = text.toString().toCharArray();
            if (sorted) {
                Arrays.sort(letters);
            }
            all[i] = new String(letters);
        }
        return all;
    }

    @Test
    void reductions_by_operations_of_a_users() {
        Ranks.each(world -> {
            for (boolean sorted : new boolean[] {false, true}) {
                reductions(world, sorted);
            }
        });
    }

    private static void reductions(Intracomm world, boolean sorted) {
        int size = world.Size();
        int rank = world.Rank();
        Op op = joining(sorted);
        int[] shares = IntStream.range(0, size).map(r -> r % 3).toArray();
        int total = 3 + Arrays.stream(shares).sum();
        Object[] mine =
                IntStream.range(0, total)
                        .mapToObj(i -> joinedOnce(letters(rank, i), sorted))
                        .toArray();
        Object[] sent = mine.clone();
        Object[] result = new Object[3];
        world.Allreduce(mine, 0, result, 0, 3, MPI.OBJECT, op);
        assertThat(result).containsExactly(joined(size, 0, 3, sorted));
        for (int root = 0; root < size; root++) {
            Object[] one = new Object[3];
            world.Reduce(mine, 0, one, 0, 3, MPI.OBJECT, op, root);
            assertThat(one)
                    .containsExactly(rank == root ? joined(size, 0, 3, sorted) : new Object[3]);
        }
        world.Scan(mine, 0, result, 0, 3, MPI.OBJECT, op);
        assertThat(result).containsExactly(joined(rank + 1, 0, 3, sorted));
        Object[] share = new Object[shares[rank]];
        world.Reduce_scatter(mine, 0, share, 0, shares, MPI.OBJECT, op);
        int before = Arrays.stream(shares).limit(rank).sum();
        assertThat(share).containsExactly(joined(size, before, shares[rank], sorted));
        assertThat(mine).as("what was sent").containsExactly(sent);
    }

    private static String joinedOnce(String text, boolean sorted) {
        char[] letters = text.toCharArray();
        if (sorted) {
            Arrays.sort(letters);
        }
        return new String(letters);
    }

    /// A round in a ring for each way of sending, and of being received.
    @Test
    void each_mode_of_sending_and_each_persistent_request() {
        Ranks.each(world -> {
            int size = world.Size();
            int rank = world.Rank();
            int next = (rank + 1) % size;
            int last = (rank + size - 1) % size;
            world.live().attached().attach(3L * (20_000 + MPI.BSEND_OVERHEAD));
            Object[] out = new Object[8];
            Object[] in = new Object[8];
            Prequest receive = world.Recv_init(in, 0, 8, MPI.OBJECT, last, 0);
            Prequest[] sends = {
                world.Send_init(out, 0, 7, MPI.OBJECT, next, 0),
                world.Bsend_init(out, 0, 7, MPI.OBJECT, next, 0),
                world.Ssend_init(out, 0, 7, MPI.OBJECT, next, 0),
                world.Rsend_init(out, 0, 7, MPI.OBJECT, next, 0)
            };
            for (int round = 0; round < 2 * sends.length + 8; round++) {
                System.arraycopy(items(rank, round, 7), 0, out, 0, 7);
                receive.Start();
                world.Barrier(); // ready sends find their receive
                Request send = sent(world, sends, round, out);
                Status status = receive.Wait();
                if (send != null) {
                    send.Wait();
                }
                assertThat(Arrays.copyOf(in, 7)).containsExactly(items(last, round, 7));
                assertThat(in[7]).isNull();
                assertThat(status.source).isEqualTo(last);
                assertThat(status.Get_count(MPI.OBJECT)).isEqualTo(7);
            }
        });
    }

    private static Request sent(Intracomm world, Prequest[] sends, int round, Object[] out) {
        int next = (world.Rank() + 1) % world.Size();
        switch (round) {
            case 0 -> world.Send(out, 0, 7, MPI.OBJECT, next, 0);
            case 1 -> world.Bsend(out, 0, 7, MPI.OBJECT, next, 0);
            case 2 -> world.Ssend(out, 0, 7, MPI.OBJECT, next, 0);
            case 3 -> world.Rsend(out, 0, 7, MPI.OBJECT, next, 0);
            case 4 -> {
                return world.Isend(out, 0, 7, MPI.OBJECT, next, 0);
            }
            case 5 -> {
                return world.Ibsend(out, 0, 7, MPI.OBJECT, next, 0);
            }
            case 6 -> {
                return world.Issend(out, 0, 7, MPI.OBJECT, next, 0);
            }
            case 7 -> {
                return world.Irsend(out, 0, 7, MPI.OBJECT, next, 0);
            }
            default -> {
                Prequest send = sends[round % sends.length];
                send.Start();
                return send;
            }
        }
        return null;
    }

    @Test
    void sendrecv_and_sendrecv_replace() {
        Ranks.each(world -> {
            int next = (world.Rank() + 1) % world.Size();
            int last = (world.Rank() + world.Size() - 1) % world.Size();
            Object[] values = items(world.Rank(), 0, 4);
            world.Sendrecv_replace(values, 0, 4, MPI.OBJECT, next, 1, last, 1);
            assertThat(values).containsExactly(items(last, 0, 4));
            Object[] back = new Object[4];
            world.Sendrecv(values, 0, 4, MPI.OBJECT, last, 2, back, 0, 4, MPI.OBJECT, next, 2);
            assertThat(back).containsExactly(items(world.Rank(), 0, 4));
        });
    }

    /// With numbers before and behind them.
    @Test
    void pack_and_unpack() {
        Ranks.each(world -> {
            int next = (world.Rank() + 1) % world.Size();
            int last = (world.Rank() + world.Size() - 1) % world.Size();
            byte[] packed = new byte[5000];
            int[] number = {world.Rank()};
            int at = world.Pack(number, 0, 1, MPI.INT, packed, 0);
            at = world.Pack(items(world.Rank(), 0, 8), 1, 6, MPI.OBJECT, packed, at);
            at = world.Pack(number, 0, 1, MPI.INT, packed, at);
            byte[] came = new byte[packed.length];
            Status status =
                    world.Sendrecv(
                            packed,
                            0,
                            at,
                            MPI.PACKED,
                            next,
                            0,
                            came,
                            0,
                            came.length,
                            MPI.PACKED,
                            last,
                            0);
            Object[] objects = new Object[6];
            int end = world.Unpack(came, 0, number, 0, 1, MPI.INT);
            end = world.Unpack(came, end, objects, 0, 6, MPI.OBJECT);
            assertThat(objects).containsExactly(items(last, 1, 6));
            assertThat(number).containsExactly(last);
            number[0] = -1;
            assertThat(world.Unpack(came, end, number, 0, 1, MPI.INT))
                    .isEqualTo(status.Get_count(MPI.PACKED));
            assertThat(number).containsExactly(last);
        });
    }

    /// Every second of them, and what lies between stays.
    @Test
    void a_derived_datatype_of_objects() {
        Ranks.each(world -> {
            Datatype second = Datatype.Vector(3, 1, 2, MPI.OBJECT);
            second.Commit();
            Object[] values = items(world.Rank(), 0, 6);
            world.Bcast(values, 0, 1, second, world.Size() - 1);
            Object[] expected = items(world.Rank(), 0, 6);
            for (int i = 0; i < 6; i += 2) {
                expected[i] = item(world.Size() - 1, i);
            }
            assertThat(values).containsExactly(expected);
        });
    }

    /// A buffer holds objects by their length in bytes, which a program learns by packing them.
    @Test
    void the_attached_buffer_counts_the_bytes_of_objects() {
        Ranks.Over.RENDEZVOUS.run(
                1,
                world -> {
                    world.Errorhandler_set(MPI.ERRORS_RETURN);
                    Object[] objects = items(0, 0, 4);
                    int bytes = world.Pack(objects, 0, 4, MPI.OBJECT, new byte[5000], 0);
                    var attached = world.live().attached();
                    attached.attach(2L * (bytes + MPI.BSEND_OVERHEAD));
                    world.Bsend(objects, 0, 4, MPI.OBJECT, 0, 0);
                    world.Ibsend(objects, 0, 4, MPI.OBJECT, 0, 0).Wait();
                    objects[0] = "another";
                    ErrorsTest.fails(
                            MPI.ERR_BUFFER,
                            "left",
                            () -> world.Bsend(items(0, 0, 4), 0, 4, MPI.OBJECT, 0, 0));
                    for (int i = 0; i < 2; i++) {
                        Object[] in = new Object[4];
                        world.Recv(in, 0, 4, MPI.OBJECT, 0, 0);
                        assertThat(in).as("as they were").containsExactly(items(0, 0, 4));
                    }
                });
    }
}
