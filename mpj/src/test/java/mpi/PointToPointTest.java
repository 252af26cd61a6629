package mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Messages from one to another, over all devices.
class PointToPointTest {
    private static final int BIG = 300_000;

    /// Sends in one way.
    private interface Way {
        void send(Intracomm world, int[] values, int to, int tag);
    }

    private static void arrives(Way way, int length) {
        Ranks.run(
                2,
                world -> {
                    if (world.Rank() == 0) {
                        int[] values = new int[length];
                        Arrays.setAll(values, i -> i);
                        way.send(world, values, 1, 3);
                        Arrays.fill(values, -1);
                    } else {
                        int[] values = new int[length + 1];
                        Status status = world.Recv(values, 1, length, MPI.INT, 0, 3);
                        for (int i = 0; i < length; i++) {
                            assertThat(values[i + 1]).isEqualTo(i);
                        }
                        assertThat(status.source).isZero();
                        assertThat(status.tag).isEqualTo(3);
                        assertThat(status.Get_count(MPI.INT)).isEqualTo(length);
                        assertThat(status.Get_elements(MPI.INT)).isEqualTo(length);
                    }
                });
    }

    @Test
    @Tag("slow")
    void each_mode_of_sending() {
        for (int length : new int[] {0, 1, 1000, BIG}) {
            arrives(
                    (world, values, to, tag) -> world.Send(values, 0, length, MPI.INT, to, tag),
                    length);
            arrives(
                    (world, values, to, tag) -> world.Ssend(values, 0, length, MPI.INT, to, tag),
                    length);
            arrives(
                    (world, values, to, tag) -> world.Rsend(values, 0, length, MPI.INT, to, tag),
                    length);
            arrives(
                    (world, values, to, tag) ->
                            world.Isend(values, 0, length, MPI.INT, to, tag).Wait(),
                    length);
            arrives(
                    (world, values, to, tag) ->
                            world.Issend(values, 0, length, MPI.INT, to, tag).Wait(),
                    length);
            arrives(
                    (world, values, to, tag) ->
                            world.Irsend(values, 0, length, MPI.INT, to, tag).Wait(),
                    length);
            arrives(
                    (world, values, to, tag) -> {
                        attached(world).attach(4L * length + MPI.BSEND_OVERHEAD);
                        world.Bsend(values, 0, length, MPI.INT, to, tag);
                    },
                    length);
            arrives(
                    (world, values, to, tag) -> {
                        attached(world).attach(4L * length + MPI.BSEND_OVERHEAD);
                        assertThat(world.Ibsend(values, 0, length, MPI.INT, to, tag).Test())
                                .isNotNull();
                    },
                    length);
        }
    }

    private static Attached attached(Intracomm world) {
        return world.live().attached();
    }

    @Test
    void each_persistent_request_again_and_again() {
        Ranks.run(
                2,
                world -> {
                    int[] value = new int[1];
                    if (world.Rank() == 0) {
                        attached(world).attach(1000);
                        Prequest[] all = {
                            world.Send_init(value, 0, 1, MPI.INT, 1, 0),
                            world.Ssend_init(value, 0, 1, MPI.INT, 1, 0),
                            world.Bsend_init(value, 0, 1, MPI.INT, 1, 0),
                            world.Rsend_init(value, 0, 1, MPI.INT, 1, 0)
                        };
                        for (int round = 0; round < 5; round++) {
                            for (Prequest request : all) {
                                value[0]++;
                                request.Start();
                                request.Wait();
                                assertThat(request.Is_null()).isFalse();
                            }
                        }
                        all[0].Free();
                        assertThat(all[0].Is_null()).isTrue();
                    } else {
                        Prequest request = world.Recv_init(value, 0, 1, MPI.INT, 0, 0);
                        assertThat(request.Wait().Get_count(MPI.INT)).as("inactive").isZero();
                        assertThat(request.Test()).as("inactive").isNotNull();
                        for (int i = 1; i <= 20; i++) {
                            Prequest.Startall(new Prequest[] {null, request});
                            assertThat(request.Wait().source).isZero();
                            assertThat(value[0]).isEqualTo(i);
                            assertThat(request.Wait().source)
                                    .as("inactive again")
                                    .isEqualTo(MPI.ANY_SOURCE);
                        }
                    }
                });
    }

    /// Large and small ones by turns, so that some are kept and some are waited for.
    @Test
    void messages_of_one_source_never_overtake_each_other() {
        Ranks.run(
                2,
                world -> {
                    int rounds = 200;
                    if (world.Rank() == 0) {
                        Request[] sends = new Request[rounds];
                        for (int i = 0; i < rounds; i++) {
                            int[] values = new int[i % 7 == 0 ? 50_000 : i % 5 * 10 + 1];
                            values[0] = i;
                            sends[i] = world.Isend(values, 0, values.length, MPI.INT, 1, i % 2);
                        }
                        Request.Waitall(sends);
                    } else {
                        int[] values = new int[50_000];
                        int[] next = {0, 1};
                        for (int i = 0; i < rounds; i++) {
                            int tag =
                                    i % 3 == 0
                                            ? MPI.ANY_TAG
                                            : next[0] <= next[1] || next[1] >= rounds ? 0 : 1;
                            Status status =
                                    world.Recv(
                                            values, 0, values.length, MPI.INT, MPI.ANY_SOURCE, tag);
                            assertThat(values[0]).isEqualTo(next[status.tag]);
                            next[status.tag] += 2;
                        }
                    }
                });
    }

    @Test
    void sendrecv_replace_goes_round() {
        Ranks.each(world -> {
            int size = world.Size();
            int[] values = {world.Rank(), world.Rank() + 100};
            world.Sendrecv_replace(
                    values,
                    0,
                    2,
                    MPI.INT,
                    (world.Rank() + 1) % size,
                    1,
                    (world.Rank() + size - 1) % size,
                    1);
            int from = (world.Rank() + size - 1) % size;
            assertThat(values).containsExactly(from, from + 100);
        });
    }

    @Test
    void probes_tell_what_will_be_received() {
        Ranks.run(
                3,
                world -> {
                    if (world.Rank() == 0) {
                        for (int i = 0; i < 2; i++) {
                            Status status = world.Probe(MPI.ANY_SOURCE, MPI.ANY_TAG);
                            Status again = world.Iprobe(status.source, status.tag);
                            assertThat(again.Get_count(MPI.LONG)).isEqualTo(status.source);
                            long[] values = new long[status.Get_count(MPI.LONG)];
                            assertThat(
                                            world.Recv(
                                                            values,
                                                            0,
                                                            values.length,
                                                            MPI.LONG,
                                                            status.source,
                                                            status.tag)
                                                    .source)
                                    .isEqualTo(status.source);
                            assertThat(values).containsOnly(status.source);
                        }
                        assertThat(world.Iprobe(MPI.ANY_SOURCE, MPI.ANY_TAG)).isNull();
                    } else {
                        long[] values = new long[world.Rank()];
                        Arrays.fill(values, world.Rank());
                        world.Send(values, 0, values.length, MPI.LONG, 0, 10 + world.Rank());
                    }
                });
    }

    @Test
    void nobody_takes_everything_and_sends_nothing() {
        Ranks.run(
                1,
                world -> {
                    int[] values = {1};
                    world.Send(values, 0, 1, MPI.INT, MPI.PROC_NULL, 0);
                    Status status = world.Recv(values, 0, 1, MPI.INT, MPI.PROC_NULL, 0);
                    assertThat(status.source).isEqualTo(MPI.PROC_NULL);
                    assertThat(status.tag).isEqualTo(MPI.ANY_TAG);
                    assertThat(status.Get_count(MPI.INT)).isZero();
                    assertThat(values).containsExactly(1);
                    assertThat(world.Isend(values, 0, 1, MPI.INT, MPI.PROC_NULL, 0).Wait())
                            .isNotNull();
                    assertThat(world.Irecv(values, 0, 1, MPI.INT, MPI.PROC_NULL, 0).Wait().source)
                            .isEqualTo(MPI.PROC_NULL);
                    assertThat(world.Probe(MPI.PROC_NULL, 0).source).isEqualTo(MPI.PROC_NULL);
                    assertThat(world.Iprobe(MPI.PROC_NULL, 0).source).isEqualTo(MPI.PROC_NULL);
                    Status both =
                            world.Sendrecv(
                                    values,
                                    0,
                                    1,
                                    MPI.INT,
                                    MPI.PROC_NULL,
                                    0,
                                    values,
                                    0,
                                    1,
                                    MPI.INT,
                                    MPI.PROC_NULL,
                                    0);
                    assertThat(both.source).isEqualTo(MPI.PROC_NULL);
                    world.Sendrecv_replace(
                            values, 0, 1, MPI.INT, MPI.PROC_NULL, 0, MPI.PROC_NULL, 0);
                });
    }

    @Test
    void either_the_cancel_wins_or_the_message() {
        Ranks.run(
                2,
                world -> {
                    int[] value = {world.Rank()};
                    for (int round = 0; round < 100; round++) {
                        if (world.Rank() == 0) {
                            world.Send(new int[] {round}, 0, 1, MPI.INT, 1, 1);
                            world.Recv(value, 0, 1, MPI.INT, 1, 2);
                        } else {
                            Request receive = world.Irecv(value, 0, 1, MPI.INT, 0, 1);
                            receive.Cancel();
                            if (receive.Wait().Test_cancelled()) {
                                assertThat(receive.Is_null()).isTrue();
                                world.Recv(value, 0, 1, MPI.INT, 0, 1);
                            }
                            assertThat(value[0]).isEqualTo(round);
                            world.Send(value, 0, 1, MPI.INT, 0, 2);
                        }
                    }
                });
    }

    @Test
    void a_send_that_nobody_receives_can_be_cancelled() {
        Ranks.run(
                2,
                world -> {
                    if (world.Rank() == 0) {
                        Request send = world.Issend(new int[1], 0, 1, MPI.INT, 1, 1);
                        send.Cancel();
                        assertThat(send.Wait().Test_cancelled()).isTrue();
                        world.Barrier();
                    } else {
                        world.Barrier();
                        assertThat(world.Iprobe(0, MPI.ANY_TAG)).isNull();
                    }
                });
    }

    @Test
    void persistent_requests_that_are_inactive_are_none() {
        Ranks.run(
                1,
                world -> {
                    int[] value = {5};
                    Prequest send = world.Send_init(value, 0, 1, MPI.INT, 0, 0);
                    Prequest receive = world.Recv_init(new int[1], 0, 1, MPI.INT, 0, 0);
                    Request[] both = {send, receive};
                    for (int round = 0; round < 2; round++) {
                        assertThat(Request.Waitany(both).index).isEqualTo(MPI.UNDEFINED);
                        assertThat(Request.Testany(both).index).isEqualTo(MPI.UNDEFINED);
                        assertThat(Request.Waitsome(both)).isEmpty();
                        assertThat(Request.Testsome(both)).isEmpty();
                        for (Status status : Request.Waitall(both)) {
                            assertThat(status.source).isEqualTo(MPI.ANY_SOURCE);
                            assertThat(status.tag).isEqualTo(MPI.ANY_TAG);
                            assertThat(status.Get_count(MPI.INT)).isZero();
                        }
                        assertThat(Request.Testall(both)).hasSize(2);
                        Prequest.Startall(new Prequest[] {receive, send});
                        assertThat(Request.Waitall(both)[1].Get_count(MPI.INT)).isEqualTo(1);
                    }
                });
    }

    /// The other calls nothing before.
    @Test
    void a_cancel_of_a_send_waits_for_nobody() {
        for (Ranks.Over over : Ranks.Over.values()) {
            CountDownLatch cancelled = new CountDownLatch(1);
            over.run(
                    2,
                    world -> {
                        if (world.Rank() == 0) {
                            Request send = world.Issend(new int[9], 0, 9, MPI.INT, 1, 1);
                            send.Cancel();
                            assertThat(send.Wait().Test_cancelled()).isTrue();
                            cancelled.countDown();
                        } else {
                            assertThat(cancelled.await(40, TimeUnit.SECONDS)).isTrue();
                            assertThat(world.Iprobe(0, MPI.ANY_TAG)).isNull();
                        }
                    });
        }
    }

    @Test
    void wait_and_test_for_any_some_and_all() {
        Ranks.run(
                3,
                world -> {
                    int rank = world.Rank();
                    if (rank > 0) {
                        world.Recv(new int[1], 0, 1, MPI.INT, 0, 9);
                        world.Send(new int[] {rank}, 0, 1, MPI.INT, 0, rank);
                        world.Recv(new int[1], 0, 1, MPI.INT, 0, 9);
                        return;
                    }
                    int[] values = new int[3];
                    Request[] all = {
                        world.Irecv(values, 1, 1, MPI.INT, 1, 1),
                        null,
                        world.Irecv(values, 2, 1, MPI.INT, 2, 2),
                        MPI.REQUEST_NULL
                    };
                    assertThat(Request.Testany(all)).isNull();
                    assertThat(Request.Testall(all)).isNull();
                    assertThat(Request.Testsome(all)).isEmpty();
                    world.Send(new int[1], 0, 1, MPI.INT, 2, 9);
                    Status first = Request.Waitany(all);
                    assertThat(first.index).isEqualTo(2);
                    assertThat(first.source).isEqualTo(2);
                    assertThat(values[2]).isEqualTo(2);
                    assertThat(all[2].Is_null()).isTrue();
                    world.Send(new int[1], 0, 1, MPI.INT, 1, 9);
                    Status[] some = Request.Waitsome(all);
                    assertThat(some).hasSize(1);
                    assertThat(some[0].index).isZero();
                    assertThat(some[0].source).isEqualTo(1);
                    assertThat(Request.Waitany(all).index).isEqualTo(MPI.UNDEFINED);
                    assertThat(Request.Testany(all).index).isEqualTo(MPI.UNDEFINED);
                    assertThat(Request.Waitsome(all)).isEmpty();
                    assertThat(Request.Testsome(all)).isEmpty();
                    assertThat(Request.Testall(all)).hasSize(4);
                    Status[] none = Request.Waitall(all);
                    assertThat(none[3].source).isEqualTo(MPI.ANY_SOURCE);
                    assertThat(none[3].index).isEqualTo(3);
                    world.Send(new int[1], 0, 1, MPI.INT, 1, 9);
                    world.Send(new int[1], 0, 1, MPI.INT, 2, 9);
                });
    }

    @Test
    void the_attached_buffer_holds_what_it_has_room_for() {
        Ranks.Over.RENDEZVOUS.run(
                2,
                world -> {
                    world.Errorhandler_set(MPI.ERRORS_RETURN);
                    if (world.Rank() == 0) {
                        assertThatThrownBy(() -> world.Bsend(new int[2], 0, 2, MPI.INT, 1, 0))
                                .hasMessageContaining(
                                        "MPI_ERR_BUFFER in Bsend on rank 0: no buffer is attached");
                        attached(world).attach(2 * (8 + MPI.BSEND_OVERHEAD) + 7);
                        world.Bsend(new int[] {1, 2}, 0, 2, MPI.INT, 1, 0);
                        world.Bsend(new int[] {3, 4}, 0, 2, MPI.INT, 1, 0);
                        assertThatThrownBy(() -> world.Bsend(new int[2], 0, 2, MPI.INT, 1, 0))
                                .hasMessageContaining(
                                        "takes 40 bytes, and the attached buffer of 87 has 7 left");
                        assertThatThrownBy(() -> attached(world).attach(5))
                                .hasMessageContaining("attached already");
                        world.Barrier();
                        attached(world).detach();
                        attached(world).attach(8 + MPI.BSEND_OVERHEAD);
                        world.Bsend(new int[] {5, 6}, 0, 2, MPI.INT, 1, 0);
                    } else {
                        world.Barrier();
                        for (int i = 1; i <= 5; i += 2) {
                            int[] values = new int[2];
                            world.Recv(values, 0, 2, MPI.INT, 0, 0);
                            assertThat(values).containsExactly(i, i + 1);
                        }
                    }
                });
    }

    @Test
    void each_kind_of_array_travels() {
        Ranks.run(
                2,
                world -> {
                    if (world.Rank() == 0) {
                        world.Send(new byte[] {-1}, 0, 1, MPI.BYTE, 1, 0);
                        world.Send(new char[] {'é'}, 0, 1, MPI.CHAR, 1, 0);
                        world.Send(new short[] {-300}, 0, 1, MPI.SHORT, 1, 0);
                        world.Send(new boolean[] {true, false}, 0, 2, MPI.BOOLEAN, 1, 0);
                        world.Send(new long[] {Long.MIN_VALUE}, 0, 1, MPI.LONG, 1, 0);
                        world.Send(new float[] {1.5f}, 0, 1, MPI.FLOAT, 1, 0);
                        world.Send(new double[] {Math.PI}, 0, 1, MPI.DOUBLE, 1, 0);
                        return;
                    }
                    byte[] bytes = new byte[1];
                    char[] chars = new char[1];
                    short[] shorts = new short[1];
                    boolean[] booleans = {false, true};
                    long[] longs = new long[1];
                    float[] floats = new float[1];
                    double[] doubles = new double[1];
                    world.Recv(bytes, 0, 1, MPI.BYTE, 0, 0);
                    world.Recv(chars, 0, 1, MPI.CHAR, 0, 0);
                    world.Recv(shorts, 0, 1, MPI.SHORT, 0, 0);
                    world.Recv(booleans, 0, 2, MPI.BOOLEAN, 0, 0);
                    world.Recv(longs, 0, 1, MPI.LONG, 0, 0);
                    world.Recv(floats, 0, 1, MPI.FLOAT, 0, 0);
                    world.Recv(doubles, 0, 1, MPI.DOUBLE, 0, 0);
                    assertThat(bytes).containsExactly(-1);
                    assertThat(chars).containsExactly('é');
                    assertThat(shorts).containsExactly((short) -300);
                    assertThat(booleans).containsExactly(true, false);
                    assertThat(longs).containsExactly(Long.MIN_VALUE);
                    assertThat(floats).containsExactly(1.5f);
                    assertThat(doubles).containsExactly(Math.PI);
                });
    }
}
