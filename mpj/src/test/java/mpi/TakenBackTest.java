package mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A call that fails after it has posted a receive takes it back: the next message is another's. A
/// thread that is interrupted before a call is interrupted as soon as that waits.
@Tag("slow")
@Timeout(60)
class TakenBackTest {
    private static final int TAG = 1;
    private static final int BIG = 100_000;

    private static void interrupted(ThrowingCallable call) {
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(call)
                    .isInstanceOf(MPIException.class)
                    .hasMessageContaining("the thread was interrupted while it waited");
        } finally {
            assertThat(Thread.interrupted()).as("still interrupted").isTrue();
        }
    }

    /// The next message to this rank goes to its receive, and not to an earlier one.
    private static void nextComes(Intracomm world, int[] given) {
        int me = world.Rank();
        int[] into = {-1};
        Request sent = world.Isend(new int[] {50}, 0, 1, MPI.INT, me, TAG);
        world.Recv(into, 0, 1, MPI.INT, me, TAG);
        sent.Wait();
        assertThat(into).containsExactly(50);
        assertThat(given).as("of the call that failed").containsOnly(-1);
    }

    private static int[] untouched(int length) {
        int[] values = new int[length];
        Arrays.fill(values, -1);
        return values;
    }

    @Test
    void an_interrupted_receive_takes_no_message() {
        Ranks.run(
                1,
                world -> {
                    int[] given = untouched(1);
                    interrupted(() -> world.Recv(given, 0, 1, MPI.INT, 0, TAG));
                    nextComes(world, given);
                    interrupted(() -> world.Recv(given, 0, 1, MPI.INT, MPI.ANY_SOURCE, TAG));
                    nextComes(world, given);
                    interrupted(() -> world.Probe(0, TAG));
                    nextComes(world, given);
                });
    }

    @Test
    void an_interrupted_wait_can_be_called_again() {
        Ranks.run(
                1,
                world -> {
                    int[] given = untouched(2);
                    Request one = world.Irecv(given, 0, 1, MPI.INT, 0, TAG);
                    Request other = world.Irecv(given, 1, 1, MPI.INT, 0, 2);
                    Request[] both = {one, other};
                    interrupted(one::Wait);
                    interrupted(() -> Request.Waitany(both));
                    interrupted(() -> Request.Waitsome(both));
                    interrupted(() -> Request.Waitall(both));
                    world.Send(new int[] {5}, 0, 1, MPI.INT, 0, TAG);
                    interrupted(() -> Request.Waitall(both));
                    assertThat(one.Is_null()).as("its status was lost").isFalse();
                    world.Send(new int[] {6}, 0, 1, MPI.INT, 0, 2);
                    Status[] all = Request.Waitall(both);
                    assertThat(all[0].Get_count(MPI.INT)).isEqualTo(1);
                    assertThat(given).containsExactly(5, 6);
                });
    }

    @Test
    void what_has_come_is_received_by_an_interrupted_thread() {
        Ranks.run(
                1,
                world -> {
                    int[] given = untouched(1);
                    world.Isend(new int[] {5}, 0, 1, MPI.INT, 0, TAG);
                    Thread.currentThread().interrupt();
                    world.Recv(given, 0, 1, MPI.INT, 0, TAG);
                    assertThat(Thread.interrupted()).isTrue();
                    assertThat(given).containsExactly(5);
                });
    }

    @Test
    void a_refused_exchange_leaves_neither_a_receive_nor_a_message() {
        Ranks.run(
                1,
                world -> {
                    int[] given = untouched(1);
                    int[] out = {7};
                    refused(
                            MPI.ERR_RANK,
                            () ->
                                    world.Sendrecv(
                                            out, 0, 1, MPI.INT, 77, TAG, given, 0, 1, MPI.INT, 0,
                                            TAG));
                    nextComes(world, given);
                    refused(
                            MPI.ERR_BUFFER,
                            () ->
                                    world.Sendrecv(
                                            out, 0, 1, MPI.INT, 0, TAG, given, 0, 2, MPI.INT, 0,
                                            TAG));
                    assertThat(world.Iprobe(0, MPI.ANY_TAG)).as("a message of it").isNull();
                    refused(
                            MPI.ERR_RANK,
                            () -> world.Sendrecv_replace(given, 0, 1, MPI.INT, 0, TAG, 77, TAG));
                    assertThat(world.Iprobe(0, MPI.ANY_TAG)).as("a message of it").isNull();
                    nextComes(world, given);
                });
    }

    private static void refused(int errorClass, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        MPIException.class,
                        e -> assertThat(e.Get_error_class()).isEqualTo(errorClass));
    }

    /// Its message comes back, too, as far as its receiver has not received it.
    @Test
    void an_interrupted_exchange_is_as_if_it_had_not_been() {
        Ranks.run(
                1,
                world -> {
                    int[] given = untouched(BIG);
                    int[] out = new int[BIG];
                    interrupted(() ->
                            world.Sendrecv(
                                    out, 0, BIG, MPI.INT, 0, 2, given, 0, 1, MPI.INT, 0, TAG));
                    if (world.Iprobe(0, 2) != null) { // it was kept for its receiver at once
                        world.Recv(new int[BIG], 0, BIG, MPI.INT, 0, 2);
                    }
                    nextComes(world, given);
                    interrupted(() ->
                            world.Sendrecv_replace(given, 0, 1, MPI.INT, MPI.PROC_NULL, 2, 0, TAG));
                    nextComes(world, given);
                });
    }

    /// Its receiver has told that it understands a cancel: it had to wait once before.
    @Test
    void an_interrupted_send_comes_back() {
        Ranks.run(
                2,
                world -> {
                    int[] values = {3};
                    if (world.Rank() == 0) {
                        world.Ssend(values, 0, 1, MPI.INT, 1, TAG);
                        world.Send(values, 0, 1, MPI.INT, 1, 2);
                        interrupted(() -> world.Ssend(values, 0, 1, MPI.INT, 1, TAG));
                        world.Barrier();
                    } else {
                        world.Probe(0, TAG);
                        world.Recv(values, 0, 1, MPI.INT, 0, TAG);
                        world.Recv(values, 0, 1, MPI.INT, 0, 2);
                        world.Barrier();
                        assertThat(world.Iprobe(0, MPI.ANY_TAG)).isNull();
                    }
                });
    }

    @Test
    void a_refused_startall_starts_nothing() {
        Ranks.run(
                1,
                world -> {
                    int[] given = untouched(1);
                    Prequest receive = world.Recv_init(given, 0, 1, MPI.INT, 0, TAG);
                    Prequest send = world.Send_init(new int[1], 0, 1, MPI.INT, 0, 2);
                    Prequest wrong = world.Send_init(new int[1], 0, 1, MPI.INT, 5, 0);
                    refused(
                            MPI.ERR_RANK,
                            () -> Prequest.Startall(new Prequest[] {receive, send, wrong}));
                    refused(
                            MPI.ERR_REQUEST,
                            () -> Prequest.Startall(new Prequest[] {receive, send, receive}));
                    Prequest room = world.Bsend_init(new int[1], 0, 1, MPI.INT, 0, 3);
                    refused(
                            MPI.ERR_BUFFER, // found when it is begun: no buffer is attached
                            () -> Prequest.Startall(new Prequest[] {receive, room}));
                    assertThat(world.Iprobe(0, MPI.ANY_TAG)).isNull();
                    nextComes(world, given);
                    receive.Start();
                    world.Send(new int[] {9}, 0, 1, MPI.INT, 0, TAG);
                    receive.Wait();
                    assertThat(given).containsExactly(9);
                });
    }

    /// The root refuses it; the others have sent already.
    @Test
    void a_refused_collective_call_leaves_no_receive() {
        Ranks.run(
                3,
                world -> {
                    int me = world.Rank();
                    int[] out = {me};
                    int[] given = untouched(3);
                    int[] counts = {1, 1, 1};
                    if (me == 0) {
                        refused(
                                MPI.ERR_BUFFER,
                                () ->
                                        world.Gatherv(
                                                out,
                                                0,
                                                1,
                                                MPI.INT,
                                                given,
                                                0,
                                                counts,
                                                new int[] {0, 1, 7},
                                                MPI.INT,
                                                0));
                        int[] right = new int[3];
                        world.Gatherv(
                                out,
                                0,
                                1,
                                MPI.INT,
                                right,
                                0,
                                counts,
                                new int[] {0, 1, 2},
                                MPI.INT,
                                0);
                        assertThat(right).containsExactly(0, 1, 2);
                    } else {
                        world.Gatherv(out, 0, 1, MPI.INT, given, 0, counts, counts, MPI.INT, 0);
                    }
                    assertThat(given).containsOnly(-1);
                });
    }

    @Test
    void an_interrupted_collective_call_leaves_no_receive() {
        Ranks.run(
                2,
                world -> {
                    int[] given = untouched(1);
                    if (world.Rank() == 1) {
                        interrupted(() -> world.Bcast(given, 0, 1, MPI.INT, 0));
                        world.Send(given, 0, 1, MPI.INT, 0, TAG);
                        int[] into = {0};
                        world.Bcast(into, 0, 1, MPI.INT, 0);
                        assertThat(into).containsExactly(8);
                        assertThat(given).containsExactly(-1);
                    } else {
                        world.Recv(given, 0, 1, MPI.INT, 1, TAG);
                        world.Bcast(new int[] {8}, 0, 1, MPI.INT, 0);
                    }
                });
    }

    @Test
    void an_interrupted_detach_keeps_the_buffer() {
        Ranks.run(
                1,
                world -> {
                    Attached attached = world.live().attached();
                    attached.attach(4L * BIG + MPI.BSEND_OVERHEAD);
                    world.Bsend(new int[BIG], 0, BIG, MPI.INT, 0, TAG);
                    if (attached.isEmpty()) {
                        return; // kept for its receiver at once
                    }
                    Thread.currentThread().interrupt();
                    assertThatThrownBy(attached::detach).hasMessageContaining("was interrupted");
                    assertThat(Thread.interrupted()).isTrue();
                    assertThat(attached.isEmpty()).as("it is still to be received").isFalse();
                    world.Recv(new int[BIG], 0, BIG, MPI.INT, 0, TAG);
                    attached.detach();
                });
    }
}
