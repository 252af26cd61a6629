package mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.util.Arrays;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.ibidem.mpj.device.circuit.CircuitDevice;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Programs of several ranks over circuits, whatever the network is.
@Timeout(60)
class CircuitRanksTest {
    private static final CircuitDevice.Limits LITTLE = new CircuitDevice.Limits(1 << 10, 4 << 10);

    @ParameterizedTest
    @Tag("slow")
    @ValueSource(strings = {"auto", "shm", "tcp", "compress > parallel > tcp", "reliable > udp"})
    void messages_of_all_sizes_arrive_in_order_both_ways_at_once(String stack) {
        try (var ranks = new OverCircuits(3, stack, CircuitDevice.Limits.USUAL)) {
            ranks.run(world -> exchange(world, 300_000));
        }
    }

    @Test
    void so_they_do_where_there_is_room_for_few_of_them() {
        try (var ranks = new OverCircuits(3, "auto", LITTLE)) {
            ranks.run(world -> exchange(world, 20_000));
        }
    }

    /// As with threads of one JVM ([ErrorsTest]): what is wrong is found where the message is
    /// taken.
    @ParameterizedTest
    @ValueSource(ints = {100, 5_000})
    void what_cannot_be_received_is_an_error_of_its_class(int count) {
        try (var ranks = new OverCircuits(2, "auto", LITTLE)) {
            ranks.run(world -> {
                if (world.Rank() == 1) {
                    world.Send(new int[count], 0, count, MPI.INT, 0, 1);
                    world.Send(new int[count], 0, count, MPI.INT, 0, 2);
                    return;
                }
                world.Errorhandler_set(MPI.ERRORS_RETURN);
                fails(
                        MPI.ERR_TRUNCATE,
                        "MPI_ERR_TRUNCATE in Recv on rank 0: a message of "
                                + 4 * count
                                + " bytes is longer than the 4 its receiver has room for",
                        () -> world.Recv(new int[1], 0, 1, MPI.INT, 1, 1));
                fails(
                        MPI.ERR_TYPE,
                        "MPI_ERR_TYPE in Recv on rank 0: a message of INT cannot be received as FLOAT",
                        () -> world.Recv(new float[count], 0, count, MPI.FLOAT, 1, 2));
            });
        }
    }

    /// An object that cannot be read where it is received.
    private static final class Fragile implements Serializable {
        private static final long serialVersionUID = 1;

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            throw new AssertionError("x must be 2");
        }
    }

    @Test
    void an_error_as_an_object_is_read_is_its_receivers_alone() {
        try (var ranks = new OverCircuits(2, "auto", LITTLE)) {
            ranks.run(world -> {
                var one = new Object[1];
                if (world.Rank() == 1) {
                    world.Send(new Object[] {new Fragile()}, 0, 1, MPI.OBJECT, 0, 1);
                    world.Send(new Object[] {"next"}, 0, 1, MPI.OBJECT, 0, 1);
                    world.Recv(one, 0, 1, MPI.OBJECT, 0, 2);
                    return;
                }
                world.Errorhandler_set(MPI.ERRORS_RETURN);
                assertThatThrownBy(() -> world.Recv(one, 0, 1, MPI.OBJECT, 1, 1))
                        .hasStackTraceContaining("x must be 2");
                world.Recv(one, 0, 1, MPI.OBJECT, 1, 1);
                assertThat(one[0]).isEqualTo("next");
                world.Send(one, 0, 1, MPI.OBJECT, 1, 2);
            });
        }
    }

    private static void fails(int errorClass, String said, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        MPIException.class,
                        e -> assertThat(e.Get_error_class()).isEqualTo(errorClass))
                .hasMessageStartingWith(said);
    }

    /// All begin to send everything to everybody before anybody receives.
    private static void exchange(Intracomm world, int largest) {
        int size = world.Size();
        int me = world.Rank();
        var sizes = new int[] {0, 1, 7, 1000, 1025, 5000, 64 << 10, 130_000, largest};
        var requests = new Request[size * sizes.length];
        for (int i = 0; i < sizes.length; i++) {
            var bytes = new byte[sizes[i]];
            Arrays.fill(bytes, (byte) (me * 31 + i));
            for (int to = 0; to < size; to++) {
                int count = Math.min(sizes[i], largest);
                requests[to * sizes.length + i] = world.Isend(bytes, 0, count, MPI.BYTE, to, 3);
            }
        }
        for (int from = 0; from < size; from++) {
            for (int i = 0; i < sizes.length; i++) {
                int count = Math.min(sizes[i], largest);
                var bytes = new byte[largest];
                var status = world.Recv(bytes, 0, largest, MPI.BYTE, from, 3);
                assertThat(status.Get_count(MPI.BYTE)).isEqualTo(count);
                for (int at = 0; at < count; at++) {
                    if (bytes[at] != (byte) (from * 31 + i)) {
                        throw new AssertionError("from " + from + ", message " + i + ", at " + at);
                    }
                }
            }
        }
        Request.Waitall(requests);
    }

    @Test
    @Tag("slow")
    void a_flood_that_nobody_receives_waits_at_its_sender() {
        int count = 2_000;
        try (var ranks = new OverCircuits(2, "auto", LITTLE)) {
            ranks.run(world -> {
                if (world.Rank() == 0) {
                    var requests = new Request[count];
                    for (int i = 0; i < count; i++) {
                        requests[i] = world.Isend(new int[] {i}, 0, 1, MPI.INT, 1, i % 7);
                    }
                    Request.Waitall(requests);
                } else {
                    for (int tag = 6; tag >= 0; tag--) {
                        for (int i = tag; i < count; i += 7) {
                            var one = new int[1];
                            world.Recv(one, 0, 1, MPI.INT, 0, tag);
                            assertThat(one[0]).isEqualTo(i);
                        }
                    }
                }
            });
        }
    }

    @Test
    void a_synchronous_send_waits_for_its_receive() {
        try (var ranks = new OverCircuits(2, "auto", CircuitDevice.Limits.USUAL)) {
            ranks.run(world -> {
                if (world.Rank() == 0) {
                    var sent = world.Issend(new int[] {1}, 0, 1, MPI.INT, 1, 1);
                    var heard = new int[1];
                    world.Recv(heard, 0, 1, MPI.INT, 1, 2); // it was there, and not received
                    assertThat(sent.Test()).isNull();
                    world.Send(heard, 0, 1, MPI.INT, 1, 3);
                    sent.Wait();
                } else {
                    world.Probe(0, 1);
                    world.Send(new int[] {2}, 0, 1, MPI.INT, 0, 2);
                    world.Recv(new int[1], 0, 1, MPI.INT, 0, 3);
                    world.Recv(new int[1], 0, 1, MPI.INT, 0, 1);
                }
            });
        }
    }
}
