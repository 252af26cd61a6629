package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Groups, communicators of one group and of two, their contexts and attributes.
class CommunicatorTest {
    private static int[] members(Group group, Group in) {
        return Group.Translate_ranks(group, IntStream.range(0, group.Size()).toArray(), in);
    }

    @Test
    void groups_are_sets_in_an_order() {
        Ranks.Over.KEPT.run(
                5,
                world -> {
                    Group all = world.Group();
                    Group odd = all.Incl(new int[] {3, 1});
                    Group low = all.Range_incl(new int[][] {{0, 2, 1}});
                    assertThat(odd.Rank())
                            .isEqualTo(
                                    world.Rank() == 3 ? 0 : world.Rank() == 1 ? 1 : MPI.UNDEFINED);
                    assertThat(members(Group.Union(odd, low), all)).containsExactly(3, 1, 0, 2);
                    assertThat(members(Group.Intersection(odd, low), all)).containsExactly(1);
                    assertThat(members(Group.Difference(low, odd), all)).containsExactly(0, 2);
                    assertThat(members(all.Excl(new int[] {0, 4}), all)).containsExactly(1, 2, 3);
                    assertThat(members(all.Range_incl(new int[][] {{4, 0, -2}, {1, 1, 1}}), all))
                            .containsExactly(4, 2, 0, 1);
                    assertThat(members(all.Range_excl(new int[][] {{0, 4, 2}}), all))
                            .containsExactly(1, 3);
                    assertThat(Group.Translate_ranks(low, new int[] {0, 1, MPI.PROC_NULL}, odd))
                            .containsExactly(MPI.UNDEFINED, 1, MPI.PROC_NULL);
                    assertThat(Group.Compare(odd, all.Incl(new int[] {3, 1}))).isEqualTo(MPI.IDENT);
                    assertThat(Group.Compare(odd, all.Incl(new int[] {1, 3})))
                            .isEqualTo(MPI.SIMILAR);
                    assertThat(Group.Compare(odd, low)).isEqualTo(MPI.UNEQUAL);
                    assertThat(Group.Compare(Group.Difference(odd, odd), MPI.GROUP_EMPTY))
                            .isEqualTo(MPI.IDENT);
                    assertThat(Group.Union(MPI.GROUP_EMPTY, odd).Rank()).isEqualTo(odd.Rank());
                });
    }

    @Test
    void split_by_colour_in_the_order_of_keys() {
        Ranks.each(world -> {
            int rank = world.Rank();
            int size = world.Size();
            Intracomm part = world.Split(rank % 2, -rank);
            int expected = (size - rank % 2 + 1) / 2;
            assertThat(part.Size()).isEqualTo(expected);
            int[] ranks = new int[part.Size()];
            part.Allgather(new int[] {rank}, 0, 1, MPI.INT, ranks, 0, 1, MPI.INT);
            assertThat(ranks)
                    .containsExactly(
                            IntStream.range(0, size)
                                    .map(i -> size - 1 - i)
                                    .filter(i -> i % 2 == rank % 2)
                                    .toArray());
            assertThat(world.Split(MPI.UNDEFINED, 0)).isNull();
            assertThat(Comm.Compare(part, world))
                    .isEqualTo(size == 1 ? MPI.CONGRUENT : MPI.UNEQUAL);
            part.Free();
        });
    }

    @Test
    void create_takes_the_members_of_a_group() {
        Ranks.each(world -> {
            Group last =
                    world.Group()
                            .Range_incl(new int[][] {{world.Size() - 1, world.Size() / 2, -1}});
            Intracomm some = world.Create(last);
            assertThat(some == null).isEqualTo(world.Rank() < world.Size() / 2);
            if (some != null) {
                assertThat(some.Rank()).isEqualTo(world.Size() - 1 - world.Rank());
                int[] sum = new int[1];
                some.Allreduce(new int[] {1}, 0, sum, 0, 1, MPI.INT, MPI.SUM);
                assertThat(sum[0]).isEqualTo(some.Size());
            }
        });
    }

    @Test
    void compare_knows_what_is_the_same() {
        Ranks.run(
                3,
                world -> {
                    Intracomm copy = (Intracomm) world.clone();
                    Intracomm turned = world.Split(0, -world.Rank());
                    assertThat(Comm.Compare(world, world)).isEqualTo(MPI.IDENT);
                    assertThat(Intracomm.Compare(world, copy)).isEqualTo(MPI.CONGRUENT);
                    assertThat(Comm.Compare(world, turned)).isEqualTo(MPI.SIMILAR);
                });
    }

    @Test
    void messages_of_a_copy_are_not_those_of_the_original() {
        Ranks.run(
                2,
                world -> {
                    Intracomm copy = (Intracomm) world.clone();
                    int[] value = new int[1];
                    if (world.Rank() == 0) {
                        copy.Isend(new int[] {2}, 0, 1, MPI.INT, 1, 5).Wait();
                        world.Send(new int[] {1}, 0, 1, MPI.INT, 1, 5);
                    } else {
                        world.Recv(value, 0, 1, MPI.INT, MPI.ANY_SOURCE, MPI.ANY_TAG);
                        assertThat(value[0]).isEqualTo(1);
                        copy.Recv(value, 0, 1, MPI.INT, MPI.ANY_SOURCE, MPI.ANY_TAG);
                        assertThat(value[0]).isEqualTo(2);
                    }
                },
                Ranks.Over.KEPT,
                Ranks.Over.LITTLE_ROOM);
    }

    /// Each thread copies its own communicator again and again, and asks for wildcards in all of
    /// them.
    @Test
    void contexts_do_not_leak_between_threads_that_make_communicators_at_once() {
        Ranks.run(
                3,
                world -> {
                    List<Thread> threads = new ArrayList<>();
                    AtomicReference<Throwable> failure = new AtomicReference<>();
                    for (int i = 0; i < 4; i++) {
                        Intracomm mine = (Intracomm) world.clone();
                        int number = i;
                        threads.add(
                                Thread.ofPlatform()
                                        .start(() -> {
                                            try {
                                                play(mine, number);
                                            } catch (Throwable e) {
                                                failure.compareAndSet(null, e);
                                            }
                                        }));
                    }
                    for (Thread thread : threads) {
                        thread.join();
                    }
                    assertThat(failure.get()).isNull();
                });
    }

    private static void play(Intracomm first, int number) {
        Intracomm comm = first;
        int next = (comm.Rank() + 1) % comm.Size();
        for (int round = 0; round < 20; round++) {
            comm = (Intracomm) comm.clone();
            int[] got = new int[1];
            Request receive = comm.Irecv(got, 0, 1, MPI.INT, MPI.ANY_SOURCE, MPI.ANY_TAG);
            comm.Send(new int[] {1000 * number + round}, 0, 1, MPI.INT, next, round);
            assertThat(receive.Wait().tag).isEqualTo(round);
            assertThat(got[0]).isEqualTo(1000 * number + round);
        }
    }

    @Test
    void two_groups_exchange_messages_and_become_one() {
        for (int size = 2; size <= 5; size++) {
            Ranks.run(
                    size,
                    world -> {
                        int rank = world.Rank();
                        int ranks = world.Size();
                        boolean low = rank < ranks / 2;
                        int lows = ranks / 2;
                        Intracomm half = world.Split(low ? 0 : 1, rank);
                        Intercomm both = world.Create_intercomm(half, 0, low ? lows : 0, 17);
                        assertThat(both.Test_inter()).isTrue();
                        assertThat(both.Size()).isEqualTo(half.Size());
                        assertThat(both.Rank()).isEqualTo(half.Rank());
                        assertThat(both.Remote_size()).isEqualTo(ranks - half.Size());
                        assertThat(both.Remote_group().Size()).isEqualTo(ranks - half.Size());
                        exchange((Intercomm) both.clone(), rank);
                        exchange(both, rank);
                        merged(both.Merge(!low), ranks, rank);
                        merged(both.Merge(low), ranks, low ? rank + ranks - lows : rank - lows);
                        merged(both.Merge(true), ranks, rank);
                    });
        }
    }

    private static void exchange(Intercomm both, int rank) {
        int[] got = new int[1];
        Request[] sends = new Request[both.Remote_size()];
        for (int to = 0; to < both.Remote_size(); to++) {
            sends[to] = both.Isend(new int[] {100 * both.Rank() + to}, 0, 1, MPI.INT, to, rank);
        }
        for (int i = 0; i < both.Remote_size(); i++) {
            Status status = both.Recv(got, 0, 1, MPI.INT, MPI.ANY_SOURCE, MPI.ANY_TAG);
            assertThat(got[0]).isEqualTo(100 * status.source + both.Rank());
        }
        Request.Waitall(sends);
    }

    private static void merged(Intracomm one, int size, int rank) {
        assertThat(one.Size()).isEqualTo(size);
        assertThat(one.Rank()).isEqualTo(rank);
        int[] sum = new int[1];
        one.Allreduce(new int[] {1}, 0, sum, 0, 1, MPI.INT, MPI.SUM);
        assertThat(sum[0]).isEqualTo(size);
    }

    @Test
    void attributes_belong_to_one_communicator() {
        Ranks.Over.KEPT.run(
                1,
                world -> {
                    assertThat(world.Attr_get(MPI.TAG_UB)).isEqualTo(Integer.MAX_VALUE);
                    assertThat(world.Attr_get(MPI.HOST)).isEqualTo(MPI.PROC_NULL);
                    assertThat(world.Attr_get(MPI.IO)).isEqualTo(MPI.ANY_SOURCE);
                    assertThat(world.Attr_get(MPI.WTIME_IS_GLOBAL)).isEqualTo(0);
                    assertThat(world.Attr_get(99)).isNull();
                    world.Attr_put(99, "mine");
                    assertThat(world.Attr_get(99)).isEqualTo("mine");
                    assertThat(((Intracomm) world.clone()).Attr_get(99)).isNull();
                    world.Attr_delete(99);
                    assertThat(world.Attr_get(99)).isNull();
                });
    }

    @Test
    void a_process_is_a_communicator_of_its_own() {
        Ranks.run(
                3,
                world -> {
                    Comm self = world.live().self();
                    assertThat(self.Size()).isEqualTo(1);
                    int[] got = new int[1];
                    self.Sendrecv(
                            new int[] {world.Rank()},
                            0,
                            1,
                            MPI.INT,
                            0,
                            0,
                            got,
                            0,
                            1,
                            MPI.INT,
                            0,
                            0);
                    assertThat(got[0]).isEqualTo(world.Rank());
                });
    }

    /// As after a year of making and freeing them: those in use keep their contexts to themselves.
    @Test
    void contexts_come_round_and_pass_over_those_in_use() {
        Ranks.each(world -> {
            int size = world.Size();
            Intracomm kept = (Intracomm) world.clone();
            Intracomm low = world.Split(world.Rank() == 0 ? MPI.UNDEFINED : 1, 0);
            world.live().nearlyRound(2);
            for (int i = 0; i < 8; i++) {
                Intracomm one = (Intracomm) world.clone();
                assertThat(one.context()).isNotIn(kept.context(), world.context());
                if (low != null) {
                    assertThat(one.context()).isNotEqualTo(low.context());
                }
                add(one, i);
                one.Free();
            }
            if (size > 1) {
                Intracomm half = world.Split(world.Rank() % 2, 0);
                world.live().nearlyRound(0);
                int there = 1 - world.Rank() % 2;
                Intercomm both = world.Create_intercomm(half, 0, there, 5);
                Intracomm merged = both.Merge(false);
                assertThat(both.context())
                        .isPositive()
                        .isNotIn(kept.context(), half.context(), merged.context());
                assertThat(merged.context()).isPositive().isNotIn(kept.context(), half.context());
                merged.Barrier();
            }
        });
    }

    private static void add(Intracomm one, int number) {
        int[] sum = new int[1];
        one.Allreduce(new int[] {number}, 0, sum, 0, 1, MPI.INT, MPI.SUM);
        assertThat(sum[0]).isEqualTo(number * one.Size());
    }
}
