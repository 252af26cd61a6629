package mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.ibidem.mpj.device.circuit.CircuitDevice;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What there is very much of, or nothing.
@Tag("slow")
@Timeout(300)
class LimitsTest {
    private static final boolean FULL = Boolean.getBoolean("ibidem.full");
    private static final int FEW = 4;
    private static final int MANY = FULL ? 1_200_000 : 3_000;

    private static void tooMany(ThrowingCallable call, String what) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        MPIException.class,
                        e -> assertThat(e.Get_error_class()).isEqualTo(MPI.ERR_OTHER))
                .hasMessageContaining("there are " + FEW + " " + what + " already");
    }

    /// The error handler is asked, and when some are done there may be others.
    @Test
    void more_requests_than_there_can_be_are_an_error_of_mpi() {
        try (var ranks =
                new OverCircuits(2, "shm", new CircuitDevice.Limits(1 << 10, 4 << 10, FEW))) {
            ranks.run(world -> {
                int[] values = new int[1];
                Request[] all = new Request[FEW];
                if (world.Rank() == 0) {
                    for (int round = 0; round < 2; round++) {
                        for (int i = 0; i < FEW; i++) {
                            all[i] = world.Issend(values, 0, 1, MPI.INT, 1, 0);
                        }
                        tooMany(
                                () -> world.Ssend(values, 0, 1, MPI.INT, 1, 0),
                                "sends that wait for their receives");
                        world.Send(values, 0, 0, MPI.INT, 1, 1); // needs no answer
                        Request.Waitall(all);
                    }
                } else {
                    for (int i = 0; i < FEW; i++) {
                        all[i] = world.Irecv(values, 0, 1, MPI.INT, 0, 5);
                    }
                    tooMany(() -> world.Recv(values, 0, 0, MPI.INT, 0, 1), "receives");
                    for (Request one : all) {
                        one.Cancel();
                        one.Wait();
                    }
                    for (int round = 0; round < 2; round++) {
                        world.Recv(values, 0, 0, MPI.INT, 0, 1);
                        for (int i = 0; i < FEW; i++) {
                            world.Recv(values, 0, 1, MPI.INT, 0, 0);
                        }
                    }
                }
            });
        }
    }

    /// 1.2 million with `ibidem.full`.
    @Test
    void many_sends_wait_for_a_slow_receiver_and_arrive() {
        try (var ranks = new OverCircuits(2, "shm", CircuitDevice.Limits.USUAL)) {
            ranks.run(world -> {
                int[] value = {7};
                if (world.Rank() == 0) {
                    Request[] all = new Request[MANY];
                    for (int i = 0; i < MANY; i++) {
                        all[i] = world.Isend(new int[] {i}, 0, 1, MPI.INT, 1, 0);
                    }
                    world.Send(value, 0, 0, MPI.INT, 1, 1);
                    Request.Waitall(all);
                } else {
                    world.Recv(value, 0, 0, MPI.INT, 0, 1); // all of them have come before
                    for (int i = 0; i < MANY; i++) {
                        world.Recv(value, 0, 1, MPI.INT, 0, 0);
                        assertThat(value[0]).isEqualTo(i);
                    }
                }
            });
        }
    }

    private static Datatype[] nothing() {
        Datatype[] all = {
            Datatype.Struct(new int[0], new int[0], new Datatype[0]),
            Datatype.Struct(new int[] {1, 1}, new int[] {0, 9}, new Datatype[] {MPI.LB, MPI.UB}),
            Datatype.Struct(new int[] {0}, new int[] {0}, new Datatype[] {MPI.INT}),
            Datatype.Contiguous(0, MPI.INT)
        };
        Arrays.stream(all).forEach(Datatype::Commit);
        return all;
    }

    @Test
    void a_datatype_of_nothing_travels() {
        Datatype[] all = nothing();
        Ranks.run(
                2,
                world -> {
                    int me = world.Rank();
                    int[] values = {me};
                    for (Datatype type : all) {
                        Status status =
                                world.Sendrecv(
                                        values, 0, 3, type, 1 - me, 1, values, 0, 3, type, 1 - me,
                                        1);
                        assertThat(status.Get_count(type)).isZero();
                        assertThat(status.Get_count(MPI.INT)).isZero();
                        world.Bcast(values, 0, 2, type, 0);
                        assertThat(values).containsExactly(me);
                    }
                    if (me == 0) {
                        world.Send(values, 0, 1, MPI.INT, 1, 2);
                    } else {
                        assertThatThrownBy(() -> world.Recv(values, 0, 1, all[0], 0, 2))
                                .isInstanceOfSatisfying(
                                        MPIException.class,
                                        e ->
                                                assertThat(e.Get_error_class())
                                                        .isEqualTo(MPI.ERR_TRUNCATE));
                    }
                });
    }

    /// Its elements are those of a small array, many times: 2.5 GiB, over each network with
    /// `ibidem.full`.
    @Test
    void a_message_of_more_than_two_gibibytes_travels() {
        int length = 1 << 17;
        int blocks = 320;
        int copies = 8;
        Datatype type = Datatype.Hvector(blocks, length, 0, MPI.DOUBLE);
        Datatype times =
                Datatype.Struct(
                        new int[] {1, 1, 1},
                        new int[] {0, 0, 0},
                        new Datatype[] {type, MPI.LB, MPI.UB});
        times.Commit();
        Ranks.Program program =
                world -> {
                    double[] values = new double[length];
                    if (world.Rank() == 0) {
                        Arrays.setAll(values, i -> i);
                        world.Send(values, 0, copies, times, 1, 3);
                    } else {
                        Status status = world.Recv(values, 0, copies, times, 0, 3);
                        for (int i = 0; i < length; i++) {
                            assertThat(values[i]).isEqualTo(i);
                        }
                        assertThat(status.Get_count(times)).isEqualTo(copies);
                        assertThat(status.Get_elements(MPI.DOUBLE))
                                .isEqualTo(length * blocks * copies);
                        assertThat(status.countInBytes).isEqualTo(Integer.MAX_VALUE);
                    }
                };
        if (FULL) {
            Ranks.run(2, program);
        } else {
            Ranks.Over.KEPT.run(2, program);
        }
    }

    @Test
    void what_cannot_be_copied_is_an_error_of_mpi() {
        int length = 1 << 20;
        Datatype type = Datatype.Hvector(320, length, 0, MPI.DOUBLE);
        type.Commit();
        assertThat(type.getByteSize()).isEqualTo(MPI.UNDEFINED);
        Ranks.Over.KEPT.run(
                1,
                world -> {
                    double[] values = new double[length];
                    assertThatThrownBy(() -> world.Sendrecv_replace(values, 0, 1, type, 0, 0, 0, 0))
                            .isInstanceOf(MPIException.class)
                            .hasMessageContaining("2684354560 bytes cannot be copied");
                    assertThat(world.Iprobe(0, 0)).isNull();
                });
    }

    /// It is the program's own, and nothing is concluded from it.
    @Test
    void what_an_op_throws_is_thrown_as_it_is() {
        Ranks.run(
                2,
                world -> {
                    int[] out = new int[1];
                    for (var thrown :
                            new RuntimeException[] {
                                new NullPointerException("its own"), new ArithmeticException()
                            }) {
                        Op op = new Op(new Throwing(thrown), true);
                        if (world.Rank() == 0) {
                            assertThatThrownBy(
                                            () -> world.Reduce(out, 0, out, 0, 1, MPI.INT, op, 0))
                                    .isSameAs(thrown);
                        } else {
                            world.Reduce(out, 0, out, 0, 1, MPI.INT, op, 0);
                        }
                    }
                });
    }

    private static final class Throwing extends User_function {
        private final RuntimeException thrown;

        Throwing(RuntimeException thrown) {
            this.thrown = thrown;
        }

        @Override
        public void Call(
                Object in, int inOffset, Object inout, int inoutOffset, int count, Datatype type) {
            throw thrown;
        }
    }
}
