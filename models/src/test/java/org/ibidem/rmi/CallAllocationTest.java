package org.ibidem.rmi;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.rmi.RemoteException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Short calls of primitives allocate nothing in steady state: not at their caller, and over `shm`
/// not with all threads together. Over `tcp` the JDK notes each virtual thread that sleeps on a
/// socket, as the one does that reads at the server.
@Timeout(240)
@Isolated("looks at what all threads allocate, again and again")
class CallAllocationTest {
    private static final int CALLS = 1_000;

    /// On a busy machine the compiler may not be done with the first ones, and other threads may
    /// have something to do.
    private static final int MOST_ROUNDS = 1_500;

    /// Of all calls of a round together: what the JVM itself does now and then.
    private static final long MOST_BYTES = 5 * CALLS;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final Nodes nodes = new Nodes();

    @AfterEach
    void close() {
        nodes.close();
    }

    @ParameterizedTest
    @CsvSource({"shm, false", "shm, true", "tcp, false", "tcp, true"})
    void no_bytes_for_a_call_of_primitives(String stack, boolean limited) throws Exception {
        var options = Rmi.Options.usual().stack(stack);
        var server = nodes.part(options);
        server.names().bind("total", server.export(new Total()));
        var client = nodes.part(options);
        var usual = client.names().lookup("total", Counter.class);
        var there = limited ? client.within(usual, Duration.ofMinutes(10)) : usual;
        boolean everybody = stack.equals("shm");
        long mine = Long.MAX_VALUE;
        long all = everybody ? Long.MAX_VALUE : 0;
        for (int i = 0; i < MOST_ROUNDS && (mine > MOST_BYTES || all > MOST_BYTES); i++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            long beforeAll = THREADS.getTotalThreadAllocatedBytes();
            round(there);
            all = Math.min(all, THREADS.getTotalThreadAllocatedBytes() - beforeAll);
            mine = Math.min(mine, THREADS.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(mine).as("of the caller, for %d calls", CALLS).isLessThanOrEqualTo(MOST_BYTES);
        assertThat(all).as("of all threads, for %d calls", CALLS).isLessThanOrEqualTo(MOST_BYTES);
    }

    private static void round(Counter there) throws RemoteException {
        for (int i = 0; i < CALLS; i += 2) {
            there.nothing();
            if (there.next(i) != i + 1) {
                throw new AssertionError("the result of " + i);
            }
        }
    }
}
