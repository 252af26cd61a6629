package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicLongArray;
import org.ibidem.mpj.device.circuit.CircuitDevice;
import org.junit.jupiter.api.Test;

/// What a short message leaves for the collector: a few objects, of a known size. Compiled for
/// speed it is less: 552 bytes.
class AllocationTest {
    /// Of a Send and a Recv together, before anything is compiled for speed.
    private static final int MOST = 790;

    private static final int ROUNDS = 200;

    /// Of several the best counts: on a busy machine a thread that waits allocates.
    private static final int MOST_TRIES = 40;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @Test
    void a_short_message_leaves_little_garbage() {
        var least = new AtomicLongArray(new long[] {Long.MAX_VALUE, Long.MAX_VALUE});
        try (var ranks = new OverCircuits(2, "shm", CircuitDevice.Limits.USUAL)) {
            ranks.run(world -> {
                int me = world.Rank();
                pingPong(world);
                for (int i = 0; i < MOST_TRIES; i++) {
                    long before = THREADS.getCurrentThreadAllocatedBytes();
                    pingPong(world);
                    long all = THREADS.getCurrentThreadAllocatedBytes() - before;
                    least.set(me, Math.min(least.get(me), all / ROUNDS));
                }
            });
        }
        assertThat(least.get(0)).isBetween(1L, (long) MOST);
        assertThat(least.get(1)).isBetween(1L, (long) MOST);
    }

    private static void pingPong(Intracomm world) {
        byte[] bytes = new byte[8];
        int other = 1 - world.Rank();
        for (int i = 0; i < ROUNDS; i++) {
            if (other == 1) {
                world.Send(bytes, 0, bytes.length, MPI.BYTE, other, 1);
            }
            world.Recv(bytes, 0, bytes.length, MPI.BYTE, other, 1);
            if (other == 0) {
                world.Send(bytes, 0, bytes.length, MPI.BYTE, other, 1);
            }
        }
    }
}
