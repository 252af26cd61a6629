package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.ibidem.Background;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Messages of objects whose classes have no methods of their own for this allocate nothing at the
/// side of the sender in steady state, with a time limit or without.
@Timeout(120)
@Isolated("looks again and again, which others make slow")
class ObjectAllocationTest {
    private static final int MESSAGES = 2_000;

    /// On a busy machine the compiler may not be done with the first ones.
    private static final int MOST_ROUNDS = 1_500;

    /// Of all messages of a round together: what the JVM itself does now and then. The smallest
    /// object for each message is more.
    private static final long MOST_BYTES = 5 * MESSAGES;

    /// Nobody waits for so long.
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @AutoClose private final Pair pair = new Pair();

    /// A node of a tree, some of it named twice or not.
    @SuppressWarnings("unused") // its fields are there to be sent
    private static final class Tree implements Serializable {
        private static final long serialVersionUID = 1L;
        final int number;
        final String name = "a name";
        final double[] values = {1, 2, 3};
        final Tree left;
        final Tree right;

        Tree(int depth, boolean shared) {
            number = depth;
            left = depth == 0 ? null : new Tree(depth - 1, shared);
            right = shared || depth == 0 ? left : new Tree(depth - 1, false);
        }
    }

    @ParameterizedTest
    @CsvSource({"false, false", "true, false", "false, true"})
    void no_bytes_for_a_message_of_an_object(boolean shared, boolean limited) {
        var type = PortType.oneToOne().stack("shm").data(Data.OBJECT);
        try (var in = pair.receive(pair.there, type, "in");
                var out = pair.send(pair.here, type, "out")) {
            out.connect(pair.there.id(), "in");
            var reading = Background.run(() -> readAll(in));
            var graph = new Tree(3, shared);
            long least = Long.MAX_VALUE;
            for (int round = 0; round < MOST_ROUNDS && least >= MOST_BYTES; round++) {
                long before = THREADS.getCurrentThreadAllocatedBytes();
                for (int i = 0; i < MESSAGES; i++) {
                    send(out, graph, limited);
                }
                least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
            }
            send(out, null, false);
            reading.join();
            assertThat(least).as("bytes for %d messages", MESSAGES).isLessThan(MOST_BYTES);
        }
    }

    private static void send(SendPort out, Tree graph, boolean limited) {
        try (var message = limited ? out.newMessage(LIMIT) : out.newMessage()) {
            message.writeObject(graph).finish();
        }
    }

    private static void readAll(ReceivePort in) {
        Object got = in;
        while (got != null) {
            try (var message = in.receive()) {
                got = message.readObject();
            }
        }
    }
}
