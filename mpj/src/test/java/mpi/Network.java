package mpi;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.ibidem.mpj.device.circuit.CircuitDevice;

/// What circuits that programs run over are made of. The nodes are kept for the next program, which
/// gets a circuit of its own.
enum Network {
    SHM("shm"),
    TCP("tcp"),
    RELIABLE_UDP("reliable > udp"),

    /// Streams that a hub carries.
    ROUTED("tcp");

    /// Of a program whose nodes are kept.
    static final int MOST = 6;

    /// Little, so that messages of few bytes wait for their receive, too.
    private static final CircuitDevice.Limits LIMITS = new CircuitDevice.Limits(1 << 10, 16 << 10);

    private static final AtomicInteger TURNS = new AtomicInteger();

    private final String stack;

    @SuppressWarnings("ImmutableEnumChecker") // kept for the next test
    private final Queue<OverCircuits> idle = new ConcurrentLinkedQueue<>();

    Network(String stack) {
        this.stack = stack;
    }

    /// One after the other.
    static Network next() {
        return values()[Math.floorMod(TURNS.getAndIncrement(), values().length)];
    }

    /// On so many ranks.
    void run(int size, Ranks.Program program) {
        OverCircuits kept = size > MOST ? null : idle.poll();
        OverCircuits nodes =
                kept != null ? kept : new OverCircuits(Math.max(MOST, size), stack, this == ROUTED);
        boolean done = false;
        try {
            nodes.run(size, LIMITS, program);
            done = true;
        } catch (AssertionError e) {
            throw new AssertionError("over " + this + ": " + e.getMessage(), e);
        } finally {
            if (done && size <= MOST) {
                idle.add(nodes);
            } else {
                nodes.close();
            }
        }
    }
}
