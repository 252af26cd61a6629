package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Calls between two, groups and topologies on 1 to 5 ranks, where a rank may be its own neighbour:
/// what they do, against what they mean for one process that sees everything.
class EachSizeTest {
    /// Some leave at once over any device, some wait for their receive.
    private static final int[] LENGTHS = {0, 1, 200, 50_000};

    private static int next(Comm comm) {
        return (comm.Rank() + 1) % comm.Size();
    }

    private static int last(Comm comm) {
        return (comm.Rank() + comm.Size() - 1) % comm.Size();
    }

    private static int[] values(int from, int number, int length) {
        var values = new int[length];
        for (int i = 0; i < length; i++) {
            values[i] = 1000 * from + 31 * number + i;
        }
        return values;
    }

    /// In one way to the next in the ring, which has its receive posted.
    private interface Way {
        Request begin(int[] values, int length, int to);
    }

    private static List<Way> ways(Intracomm world) {
        return List.of(
                (values, length, to) -> world.Isend(values, 0, length, MPI.INT, to, 3),
                (values, length, to) -> world.Issend(values, 0, length, MPI.INT, to, 3),
                (values, length, to) -> world.Irsend(values, 0, length, MPI.INT, to, 3),
                (values, length, to) -> world.Ibsend(values, 0, length, MPI.INT, to, 3),
                (values, length, to) -> done(() -> world.Send(values, 0, length, MPI.INT, to, 3)),
                (values, length, to) -> done(() -> world.Ssend(values, 0, length, MPI.INT, to, 3)),
                (values, length, to) -> done(() -> world.Rsend(values, 0, length, MPI.INT, to, 3)),
                (values, length, to) -> done(() -> world.Bsend(values, 0, length, MPI.INT, to, 3)),
                (values, length, to) -> started(world.Send_init(values, 0, length, MPI.INT, to, 3)),
                (values, length, to) ->
                        started(world.Ssend_init(values, 0, length, MPI.INT, to, 3)),
                (values, length, to) ->
                        started(world.Rsend_init(values, 0, length, MPI.INT, to, 3)),
                (values, length, to) ->
                        started(world.Bsend_init(values, 0, length, MPI.INT, to, 3)));
    }

    private static Request done(Runnable send) {
        send.run();
        return MPI.REQUEST_NULL;
    }

    private static Request started(Prequest request) {
        request.Start();
        return request;
    }

    @Test
    void each_mode_of_sending_in_a_ring() {
        Ranks.each(world -> {
            world.live().attached().attach(3L * (4 * 50_000 + MPI.BSEND_OVERHEAD));
            int number = 0;
            for (int length : LENGTHS) {
                int[] in = new int[length + 1];
                Prequest again = world.Recv_init(in, 0, length + 1, MPI.INT, last(world), 3);
                for (Way way : ways(world)) {
                    number++;
                    in[length] = -1;
                    boolean persistent = number % 2 == 0;
                    Request receive =
                            persistent
                                    ? started(again)
                                    : world.Irecv(in, 0, length + 1, MPI.INT, MPI.ANY_SOURCE, 3);
                    world.Barrier(); // ready sends find their receive
                    Request send =
                            way.begin(values(world.Rank(), number, length), length, next(world));
                    Status status = receive.Wait();
                    send.Wait();
                    assertThat(status.source).isEqualTo(last(world));
                    assertThat(status.tag).isEqualTo(3);
                    assertThat(status.Get_count(MPI.INT)).isEqualTo(length);
                    assertThat(Arrays.mismatch(in, values(last(world), number, length)))
                            .isEqualTo(length);
                    assertThat(in[length]).isEqualTo(-1);
                    assertThat(receive.Is_null()).isNotEqualTo(persistent);
                }
                again.Free();
            }
        });
    }

    /// Every rank sends to every rank, as many elements as tell who it was.
    @Test
    void probe_and_iprobe_tell_what_recv_then_takes() {
        Ranks.each(world -> {
            int size = world.Size();
            Request[] sends = new Request[size];
            for (int to = 0; to < size; to++) {
                int count = 1 + world.Rank();
                sends[to] =
                        world.Isend(values(to, 0, count), 0, count, MPI.INT, to, 7 + world.Rank());
            }
            BitSet seen = new BitSet();
            for (int i = 0; i < size; i++) {
                Status probed =
                        i % 2 == 0 ? world.Probe(MPI.ANY_SOURCE, MPI.ANY_TAG) : asked(world);
                int count = probed.Get_count(MPI.INT);
                assertThat(count).isEqualTo(1 + probed.source);
                assertThat(probed.tag).isEqualTo(7 + probed.source);
                int[] in = new int[count];
                Status got = world.Recv(in, 0, count, MPI.INT, probed.source, probed.tag);
                assertThat(got.source).isEqualTo(probed.source);
                assertThat(in).containsExactly(values(world.Rank(), 0, count));
                seen.set(got.source);
            }
            assertThat(seen.cardinality()).isEqualTo(size);
            assertThat(world.Iprobe(MPI.ANY_SOURCE, MPI.ANY_TAG)).isNull();
            Request.Waitall(sends);
        });
    }

    private static Status asked(Intracomm world) {
        Status found = null;
        while (found == null) {
            found = world.Iprobe(MPI.ANY_SOURCE, MPI.ANY_TAG);
        }
        return found;
    }

    /// Once what nobody sends, a send that nobody receives, and then what is on its way.
    @Test
    void a_cancel_wins_or_the_message_does() {
        Ranks.each(world -> {
            int[] in = {-1};
            Prequest nothing = world.Recv_init(in, 0, 1, MPI.INT, MPI.ANY_SOURCE, 99);
            for (int round = 0; round < 2; round++) {
                nothing.Start();
                nothing.Cancel();
                assertThat(nothing.Wait().Test_cancelled()).isTrue();
            }
            Request send = world.Issend(new int[1], 0, 1, MPI.INT, next(world), 98);
            send.Cancel();
            assertThat(send.Wait().Test_cancelled()).isTrue();
            assertThat(in[0]).isEqualTo(-1);
            for (int round = 0; round < 50; round++) {
                Request receive = world.Irecv(in, 0, 1, MPI.INT, last(world), 1);
                int[] out = {round};
                Request sent = world.Isend(out, 0, 1, MPI.INT, next(world), 1);
                receive.Cancel();
                if (receive.Wait().Test_cancelled()) {
                    world.Recv(in, 0, 1, MPI.INT, last(world), 1);
                }
                assertThat(in[0]).isEqualTo(round);
                sent.Wait();
            }
            world.Barrier();
            assertThat(world.Iprobe(MPI.ANY_SOURCE, 98)).isNull();
        });
    }

    /// Ends some of the requests.
    private interface Ends {
        /// Null where none is active.
        Status[] some(Request[] all);
    }

    private static Status[] one(Status status) {
        return status == null
                ? new Status[0]
                : status.index == MPI.UNDEFINED ? null : new Status[] {status};
    }

    private static boolean isOver(Request[] all) {
        return Arrays.stream(all).allMatch(each -> each == null || each.Is_null());
    }

    private static final List<Ends> ENDS =
            List.of(
                    all -> one(Request.Waitany(all)),
                    all -> one(Request.Testany(all)),
                    Request::Waitsome,
                    Request::Testsome,
                    all -> isOver(all) ? null : Request.Waitall(all),
                    all -> {
                        boolean over = isOver(all);
                        Status[] statuses = Request.Testall(all);
                        return over ? null : statuses == null ? new Status[0] : statuses;
                    },
                    all -> {
                        boolean over = isOver(all);
                        Status[] statuses = new Status[all.length];
                        for (int i = 0; i < all.length; i++) {
                            Status status = all[i].Test();
                            statuses[i] = status == null ? all[i].Wait() : status;
                            statuses[i].index = i;
                        }
                        return over ? null : statuses;
                    });

    /// Each receive from every rank ends once, with its own message, in whatever order.
    @Test
    void each_way_of_waiting_for_several() {
        Ranks.each(world -> {
            int size = world.Size();
            for (int way = 0; way < ENDS.size(); way++) {
                int[] in = new int[size];
                Request[] all = new Request[size];
                Request[] sends = new Request[size];
                for (int other = 0; other < size; other++) {
                    all[other] = world.Irecv(in, other, 1, MPI.INT, other, way);
                }
                for (int other = 0; other < size; other++) {
                    int[] out = {100 * world.Rank() + other};
                    sends[other] = world.Issend(out, 0, 1, MPI.INT, other, way);
                }
                BitSet ended = new BitSet();
                while (ended.cardinality() < size) {
                    for (Status status : ENDS.get(way).some(all)) {
                        assertThat(ended.get(status.index)).as("ended once").isFalse();
                        ended.set(status.index);
                        assertThat(status.source).isEqualTo(status.index);
                        assertThat(in[status.index]).isEqualTo(100 * status.index + world.Rank());
                    }
                }
                assertThat(ENDS.get(way).some(all))
                        .as("way %d: none is active", way)
                        .isNullOrEmpty();
                Request.Waitall(sends);
            }
        });
    }

    private static int[] ranks(Group group, Group in) {
        return Group.Translate_ranks(group, IntStream.range(0, group.Size()).toArray(), in);
    }

    private static Set<Integer> drawn(Random random, int size) {
        Set<Integer> some = new LinkedHashSet<>();
        for (int i = random.nextInt(size + 1); i > 0; i--) {
            some.add(random.nextInt(size));
        }
        return some;
    }

    private static int[] array(Iterable<Integer> some) {
        IntStream.Builder all = IntStream.builder();
        some.forEach(all::add);
        return all.build().toArray();
    }

    /// As sets that keep the order of the first, then of the second.
    @Test
    void groups_are_what_sets_are() {
        Ranks.each(world -> {
            Random random = new Random(world.Size());
            Group all = world.Group();
            for (int round = 0; round < 30; round++) {
                Set<Integer> a = drawn(random, world.Size());
                Set<Integer> b = drawn(random, world.Size());
                Group first = all.Incl(array(a));
                Group second = all.Incl(array(b));
                Set<Integer> union = new LinkedHashSet<>(a);
                union.addAll(b);
                Set<Integer> common = new LinkedHashSet<>(a);
                common.retainAll(b);
                Set<Integer> difference = new LinkedHashSet<>(a);
                difference.removeAll(b);
                Set<Integer> rest = new LinkedHashSet<>(List.of(0, 1, 2, 3, 4));
                rest.removeIf(rank -> rank >= world.Size() || a.contains(rank));
                assertThat(ranks(first, all)).containsExactly(array(a));
                assertThat(ranks(Group.Union(first, second), all)).containsExactly(array(union));
                assertThat(ranks(Group.Intersection(first, second), all))
                        .containsExactly(array(common));
                assertThat(ranks(Group.Difference(first, second), all))
                        .containsExactly(array(difference));
                assertThat(ranks(all.Excl(array(a)), all)).containsExactly(array(rest));
                assertThat(Group.Compare(first, second))
                        .isEqualTo(
                                List.copyOf(a).equals(List.copyOf(b))
                                        ? MPI.IDENT
                                        : a.equals(b) ? MPI.SIMILAR : MPI.UNEQUAL);
                int place = List.copyOf(a).indexOf(world.Rank());
                assertThat(first.Rank()).isEqualTo(place < 0 ? MPI.UNDEFINED : place);
                second.Free();
            }
        });
    }
}
