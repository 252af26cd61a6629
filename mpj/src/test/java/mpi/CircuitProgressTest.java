package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.ibidem.mpj.device.circuit.CircuitDevice;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Calls that wait for nothing make progress, when they are called again and again, with messages
/// of several ranks over sockets.
@Timeout(60)
class CircuitProgressTest {
    /// Longer than what leaves at once, and not.
    private static final int[] SIZES = {4, 1 << 20};

    /// How a program asks whether two receives are complete.
    enum Asks {
        TEST,
        TESTANY,
        TESTALL,
        TESTSOME;

        private void once(Request... two) {
            switch (this) {
                case TEST -> {
                    two[0].Test();
                    two[1].Test();
                }
                case TESTANY -> Request.Testany(two);
                case TESTALL -> Request.Testall(two);
                case TESTSOME -> Request.Testsome(two);
            }
        }

        void until(Request... two) {
            while (Arrays.stream(two).anyMatch(one -> !one.Is_null())) {
                once(two);
                if (Thread.currentThread().isInterrupted()) {
                    throw new AssertionError(this + " makes no progress");
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_loop_that_only_asks_comes_to_its_end(Asks how) {
        try (var ranks = new OverCircuits(3, "tcp", CircuitDevice.Limits.USUAL)) {
            ranks.run(world -> {
                for (int size : SIZES) {
                    var bytes = new byte[size];
                    if (world.Rank() > 0) {
                        world.Send(bytes, 0, size, MPI.BYTE, 0, 1);
                    } else {
                        how.until(
                                world.Irecv(bytes, 0, size, MPI.BYTE, 1, 1),
                                world.Irecv(new byte[size], 0, size, MPI.BYTE, 2, 1));
                    }
                }
            });
        }
    }

    /// What is longer than leaves at once comes while its receiver calls nothing.
    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp", "reliable > udp"})
    void a_thread_makes_progress_where_that_is_asked_for(String stack) {
        int size = SIZES[1];
        var sent = new CountDownLatch(1);
        try (var ranks = new OverCircuits(2, stack, CircuitDevice.Limits.USUAL)) {
            ranks.device(1).keepGoing();
            ranks.run(world -> {
                if (world.Rank() == 0) {
                    for (int tag = 0; tag < 3; tag++) {
                        world.Send(new byte[size], 0, size, MPI.BYTE, 1, tag);
                    }
                    sent.countDown();
                } else {
                    var into = new byte[size];
                    var all = new Request[3];
                    for (int tag = 0; tag < 3; tag++) {
                        all[tag] = world.Irecv(into, 0, size, MPI.BYTE, 0, tag);
                    }
                    assertThat(hasEnded(sent)).as("it was sent").isTrue();
                    Request.Waitall(all);
                }
            });
        }
    }

    private static boolean hasEnded(CountDownLatch latch) {
        try {
            return latch.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void so_does_one_that_only_probes() {
        try (var ranks = new OverCircuits(3, "tcp", CircuitDevice.Limits.USUAL)) {
            ranks.run(world -> {
                if (world.Rank() > 0) {
                    world.Send(new int[1], 0, 1, MPI.INT, 0, 1);
                    return;
                }
                for (int from = 1; from < 3; from++) {
                    while (world.Iprobe(from, 1) == null && !Thread.interrupted()) {
                        // it is to come by itself
                    }
                    world.Recv(new int[1], 0, 1, MPI.INT, from, 1);
                }
            });
        }
    }

    /// A program that does nothing but send finds room again in its own buffer.
    @Test
    void what_was_received_takes_no_room_in_the_buffer_of_sends() {
        int size = 200_000;
        try (var ranks = new OverCircuits(2, "auto", CircuitDevice.Limits.USUAL)) {
            ranks.run(world -> {
                if (world.Rank() == 1) {
                    world.Recv(new byte[size], 0, size, MPI.BYTE, 0, 1);
                    return;
                }
                var attached = world.live().attached();
                attached.attach(size + MPI.BSEND_OVERHEAD);
                world.Errorhandler_set(MPI.ERRORS_RETURN);
                world.Bsend(new byte[size], 0, size, MPI.BYTE, 1, 1);
                boolean sent = false;
                while (!sent && !Thread.interrupted()) {
                    try {
                        world.Bsend(new byte[1], 0, 1, MPI.BYTE, MPI.PROC_NULL, 1);
                        world.Bsend(new byte[size], 0, size, MPI.BYTE, 0, 2);
                        sent = true;
                    } catch (MPIException _) {
                        // there is no room yet
                    }
                }
                assertThat(sent).isTrue();
                world.Recv(new byte[size], 0, size, MPI.BYTE, 0, 2);
            });
        }
    }
}
