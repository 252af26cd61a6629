package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Random programs of point-to-point messages, communicators and collective operations, against a
/// model of what they mean. Every rank draws the same program from the seed; what a step sends and
/// what has to arrive follow from its number. A failure names its seed.
class ProgramsTest {
    private static final int STEPS = 40;

    @Test
    @Tag("slow")
    void random_programs_do_what_their_model_says() {
        play(0, Integer.getInteger("ibidem.seeds", 30), ProgramsTest::threads);
    }

    @Test
    @Tag("full")
    void many_random_programs_do_what_their_model_says() {
        play(System.nanoTime(), 5000, ProgramsTest::threads);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("slow")
    void so_they_do_over_networks(Network network) {
        play(0, 5, _ -> network::run);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("full")
    void so_do_many_of_them_over_networks(Network network) {
        play(System.nanoTime(), 200, _ -> network::run);
    }

    /// Where the ranks of a program are.
    private interface Over {
        void run(int size, Ranks.Program program);
    }

    private static Over threads(long seed) {
        return List.of(Ranks.Over.values()).get((int) Math.floorMod(seed / 5, 3L))::run;
    }

    private static void play(long first, int seeds, LongFunction<Over> over) {
        for (long seed = first; seed < first + seeds; seed++) {
            int size = 1 + (int) Math.floorMod(seed, 5L);
            long chosen = seed;
            try {
                over.apply(seed).run(size, world -> new Player(world, chosen).play());
            } catch (AssertionError e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        }
    }

    /// One rank.
    private static final class Player {
        private final Random random;
        private final int me;
        private final List<Intracomm> comms = new ArrayList<>();

        /// By communicator its members, as ranks of the world; known to all, also to who is in
        /// none.
        private final List<int[]> members = new ArrayList<>();

        Player(Intracomm world, long seed) {
            this.random = new Random(seed);
            this.me = world.Rank();
            comms.add(world);
            members.add(IntStream.range(0, world.Size()).toArray());
        }

        void play() {
            for (int step = 0; step < STEPS; step++) {
                int which = random.nextInt(comms.size());
                Step one = new Step(step, comms.get(which), members.get(which), rankIn(which));
                switch (random.nextInt(10)) {
                    case 0 -> split(one);
                    case 1 -> copy(one);
                    case 2 -> one.messages(random);
                    case 3 -> one.anyhow(random);
                    case 4 -> one.bcast(random);
                    case 5 -> one.reduce(random);
                    case 6 -> one.gatherv(random);
                    case 7 -> one.alltoallv(random);
                    case 8 -> one.objects(random);
                    default -> one.scan(random);
                }
            }
        }

        private int rankIn(int which) {
            return find(members.get(which), me);
        }

        private static int find(int[] all, int one) {
            return IntStream.range(0, all.length).filter(i -> all[i] == one).findFirst().orElse(-1);
        }

        private void copy(Step step) {
            comms.add(step.comm == null ? null : (Intracomm) step.comm.clone());
            members.add(step.members);
        }

        /// Colours are drawn for all; one of them becomes a communicator of the program.
        private void split(Step step) {
            int[] colours = random.ints(step.members.length, 0, 2).toArray();
            int[] keys = random.ints(step.members.length, 0, 3).toArray();
            int[] chosen =
                    IntStream.range(0, colours.length)
                            .filter(i -> colours[i] == 0)
                            .boxed()
                            .sorted((a, b) -> keys[a] == keys[b] ? a - b : keys[a] - keys[b])
                            .mapToInt(i -> step.members[i])
                            .toArray();
            Intracomm part =
                    step.comm == null
                            ? null
                            : step.comm.Split(
                                    colours[step.rank] == 0 ? 0 : MPI.UNDEFINED, keys[step.rank]);
            if (chosen.length > 0) {
                comms.add(part);
                members.add(chosen);
                assertThat(part == null).isEqualTo(find(chosen, me) < 0);
            }
        }
    }

    /// One step, in one communicator; it draws the same at all, and only members do something.
    private record Step(int number, Intracomm comm, int[] members, int rank) {
        /// Element i of what one sends to the other in this step.
        private int value(int from, int to, int i) {
            return ((number * 31 + members[from]) * 31 + members[to]) * 31 + i;
        }

        private int[] values(int from, int to, int count) {
            return IntStream.range(0, count).map(i -> value(from, to, i)).toArray();
        }

        /// Messages of drawn sources, receivers, lengths and modes; each receives in the order
        /// drawn.
        void messages(Random random) {
            int size = members.length;
            int count = 1 + random.nextInt(10);
            List<Request> requests = new ArrayList<>();
            List<Runnable> checks = new ArrayList<>();
            for (int message = 0; message < count; message++) {
                int from = random.nextInt(size);
                int to = random.nextInt(size);
                int length = random.nextInt(4) == 0 ? 40_000 : random.nextInt(50);
                int mode = random.nextInt(3);
                int tag = message % 2;
                if (rank == from) {
                    int[] out = values(from, to, length + message);
                    requests.add(
                            mode == 0
                                    ? comm.Issend(out, message, length, MPI.INT, to, tag)
                                    : comm.Isend(out, message, length, MPI.INT, to, tag));
                }
                if (rank == to) {
                    int[] in = new int[length];
                    requests.add(comm.Irecv(in, 0, length, MPI.INT, from, tag));
                    int[] expected =
                            IntStream.range(0, length).map(i -> value(from, to, i)).toArray();
                    int offset = message;
                    checks.add(() ->
                            assertThat(Arrays.equals(in, shifted(expected, offset, from, to)))
                                    .isTrue());
                }
            }
            Request.Waitall(requests.toArray(Request[]::new));
            checks.forEach(Runnable::run);
        }

        private int[] shifted(int[] like, int offset, int from, int to) {
            return IntStream.range(0, like.length).map(i -> value(from, to, i + offset)).toArray();
        }

        /// All send to one, which receives from whomever: from each in order.
        void anyhow(Random random) {
            int to = random.nextInt(members.length);
            int each = 1 + random.nextInt(4);
            int tag = 2 + number; // not that of a later step's messages, which may come before
            if (rank < 0) {
                return;
            }
            Request[] sends = new Request[each];
            for (int i = 0; i < each; i++) {
                sends[i] = comm.Isend(new int[] {value(rank, to, i)}, 0, 1, MPI.INT, to, tag);
            }
            int[] next = new int[members.length];
            for (int i = 0; i < each * members.length && rank == to; i++) {
                int[] in = new int[1];
                Status status = comm.Recv(in, 0, 1, MPI.INT, MPI.ANY_SOURCE, tag);
                assertThat(in[0]).isEqualTo(value(status.source, to, next[status.source]++));
            }
            Request.Waitall(sends);
        }

        void bcast(Random random) {
            int root = random.nextInt(members.length);
            int count = random.nextInt(3) == 0 ? 50_000 : random.nextInt(100);
            if (rank >= 0) {
                int[] buffer = rank == root ? values(root, root, count) : new int[count];
                comm.Bcast(buffer, 0, count, MPI.INT, root);
                assertThat(Arrays.equals(buffer, values(root, root, count))).isTrue();
            }
        }

        void reduce(Random random) {
            int root = random.nextInt(members.length);
            int count = random.nextInt(50);
            boolean all = random.nextBoolean();
            if (rank < 0) {
                return;
            }
            int[] into = new int[count];
            if (all) {
                comm.Allreduce(values(rank, 0, count), 0, into, 0, count, MPI.INT, MPI.SUM);
            } else {
                comm.Reduce(values(rank, 0, count), 0, into, 0, count, MPI.INT, MPI.SUM, root);
            }
            int[] sums =
                    IntStream.range(0, count)
                            .map(i ->
                                    IntStream.range(0, members.length)
                                            .map(from -> value(from, 0, i))
                                            .sum())
                            .toArray();
            assertThat(Arrays.equals(into, all || rank == root ? sums : new int[count])).isTrue();
        }

        void gatherv(Random random) {
            int root = random.nextInt(members.length);
            int[] counts = random.ints(members.length, 0, 20).toArray();
            boolean all = random.nextBoolean();
            if (rank < 0) {
                return;
            }
            int[] places = new int[counts.length];
            for (int i = 1; i < places.length; i++) {
                places[i] = places[i - 1] + counts[i - 1];
            }
            int[] into = new int[Arrays.stream(counts).sum()];
            int[] mine = values(rank, root, counts[rank]);
            if (all) {
                comm.Allgatherv(mine, 0, mine.length, MPI.INT, into, 0, counts, places, MPI.INT);
            } else {
                comm.Gatherv(mine, 0, mine.length, MPI.INT, into, 0, counts, places, MPI.INT, root);
            }
            int[] expected =
                    IntStream.range(0, counts.length)
                            .flatMap(from -> Arrays.stream(values(from, root, counts[from])))
                            .toArray();
            assertThat(Arrays.equals(into, all || rank == root ? expected : new int[into.length]))
                    .isTrue();
        }

        void alltoallv(Random random) {
            int size = members.length;
            int[][] counts = new int[size][];
            for (int from = 0; from < size; from++) {
                counts[from] = random.ints(size, 0, 10).toArray();
            }
            if (rank < 0) {
                return;
            }
            int[] places = IntStream.range(0, size).map(i -> 10 * i).toArray();
            int[] out = new int[10 * size];
            int[] expected = new int[10 * size];
            int[] came = new int[size];
            for (int other = 0; other < size; other++) {
                came[other] = counts[other][rank];
                System.arraycopy(
                        values(rank, other, counts[rank][other]),
                        0,
                        out,
                        10 * other,
                        counts[rank][other]);
                System.arraycopy(
                        values(other, rank, came[other]), 0, expected, 10 * other, came[other]);
            }
            int[] in = new int[10 * size];
            comm.Alltoallv(out, 0, counts[rank], places, MPI.INT, in, 0, came, places, MPI.INT);
            assertThat(in).containsExactly(expected);
        }

        void scan(Random random) {
            int count = 1 + random.nextInt(5);
            if (rank >= 0) {
                int[] into = new int[count];
                comm.Scan(values(rank, 0, count), 0, into, 0, count, MPI.INT, MPI.MAX);
                int[] expected =
                        IntStream.range(0, count)
                                .map(i ->
                                        IntStream.rangeClosed(0, rank)
                                                .map(from -> value(from, 0, i))
                                                .max()
                                                .orElseThrow())
                                .toArray();
                assertThat(into).containsExactly(expected);
            }
        }

        /// Texts and lists, some of them null, in a block for each.
        private Object[] objects(int from, int to, int count) {
            return IntStream.range(0, count)
                    .mapToObj(i ->
                            switch (i % 3) {
                                case 0 -> "text " + value(from, to, i);
                                case 1 -> null;
                                default -> List.of(value(from, to, i), i);
                            })
                    .toArray();
        }

        /// All to all, or gathered by one and told to all.
        void objects(Random random) {
            int root = random.nextInt(members.length);
            int count = random.nextInt(8);
            boolean direct = random.nextBoolean();
            int size = members.length;
            if (rank < 0) {
                return;
            }
            Object[] out = new Object[size * count];
            Object[] in = new Object[size * count];
            for (int to = 0; to < size && direct; to++) {
                System.arraycopy(objects(rank, to, count), 0, out, to * count, count);
            }
            if (direct) {
                comm.Alltoall(out, 0, count, MPI.OBJECT, in, 0, count, MPI.OBJECT);
            } else {
                Object[] mine = objects(rank, root, count);
                comm.Gather(mine, 0, count, MPI.OBJECT, in, 0, count, MPI.OBJECT, root);
                comm.Bcast(in, 0, in.length, MPI.OBJECT, root);
            }
            for (int from = 0; from < size; from++) {
                assertThat(Arrays.copyOfRange(in, from * count, (from + 1) * count))
                        .containsExactly(objects(from, direct ? rank : root, count));
            }
        }
    }
}
