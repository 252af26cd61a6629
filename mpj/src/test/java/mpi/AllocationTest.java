package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Supplier;
import org.ibidem.mpj.device.circuit.CircuitDevice;
import org.junit.jupiter.api.Test;

/// What a short message leaves for the collector: a few objects, of a known size. Compiled for
/// speed it is less: 552 bytes.
class AllocationTest {
    /// Of a Send and a Recv together, before anything is compiled for speed.
    private static final int MOST = 790;

    /// Of one that is longer than leaves at once, whatever its length.
    private static final int MOST_LONG = 4096;

    private static final int ROUNDS = 200;

    /// Of several the best counts: on a busy machine a thread that waits allocates.
    private static final int MOST_TRIES = 40;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /// Sends and receives of one kind of message.
    private record Message(Object buffer, int count, Datatype type) {}

    @Test
    void a_short_message_leaves_little_garbage() {
        assertThat(garbage(ROUNDS, () -> new Message(new byte[8], 8, MPI.BYTE)))
                .isBetween(1L, (long) MOST);
    }

    /// No copy of it is made anywhere: what it leaves is of the size of its bookkeeping.
    @Test
    void a_message_of_a_mebibyte_leaves_no_more_than_a_few_objects() {
        assertThat(garbage(2, () -> new Message(new byte[1 << 20], 1 << 20, MPI.BYTE)))
                .isBetween(1L, (long) MOST_LONG);
    }

    /// A column of a matrix is gathered into frames and scattered from them.
    @Test
    void nor_does_a_vector_with_strides() {
        assertThat(
                        garbage(
                                2,
                                () -> {
                                    Datatype column = Datatype.Vector(20_000, 1, 8, MPI.DOUBLE);
                                    column.Commit();
                                    return new Message(new double[160_000], 1, column);
                                }))
                .isBetween(1L, (long) MOST_LONG);
    }

    /// By a Send and a Recv together, of that rank which leaves more, at best.
    private static long garbage(int rounds, Supplier<Message> message) {
        var least = new AtomicLongArray(new long[] {Long.MAX_VALUE, Long.MAX_VALUE});
        try (var ranks = new OverCircuits(2, "shm", CircuitDevice.Limits.USUAL)) {
            ranks.run(world -> {
                int me = world.Rank();
                var mine = message.get();
                pingPong(world, rounds, mine);
                for (int i = 0; i < MOST_TRIES; i++) {
                    long before = THREADS.getCurrentThreadAllocatedBytes();
                    pingPong(world, rounds, mine);
                    long all = THREADS.getCurrentThreadAllocatedBytes() - before;
                    least.set(me, Math.min(least.get(me), all / rounds));
                }
            });
        }
        return Math.max(least.get(0), least.get(1));
    }

    private static void pingPong(Intracomm world, int rounds, Message message) {
        int other = 1 - world.Rank();
        for (int i = 0; i < rounds; i++) {
            if (other == 1) {
                world.Send(message.buffer, 0, message.count, message.type, other, 1);
            }
            world.Recv(message.buffer, 0, message.count, message.type, other, 1);
            if (other == 0) {
                world.Send(message.buffer, 0, message.count, message.type, other, 1);
            }
        }
    }
}
