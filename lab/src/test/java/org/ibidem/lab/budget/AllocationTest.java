package org.ibidem.lab.budget;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.CompletableFuture;
import org.ibidem.hub.Hub;
import org.ibidem.port.PortType;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.SendPort;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Messages of primitives and arrays with explicit receive allocate nothing in steady state.
@Timeout(120)
class AllocationTest {
    private static final int WARM_UP = 20_000;
    private static final int COUNT = 10_000;
    private static final int ROUNDS = 6;

    /// Of all messages of the best round together: what the JVM itself does now and then, and
    /// waiting in a selector for the first time.
    private static final long MOST_BYTES = COUNT;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @ParameterizedTest
    @ValueSource(strings = {"loopback", "shm", "tcp", "fragment(size=512) > tcp"})
    void no_bytes_for_a_message(String stack) throws Exception {
        var type = PortType.oneToOne().stack(stack);
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0));
                var here = Node.join(Join.pool("demo").hub("localhost:" + hub.port()));
                var there = Node.join(Join.pool("demo").hub("localhost:" + hub.port()));
                var in = ReceivePort.open(there, type, "in");
                var out = SendPort.open(here, type, "out");
                var backIn = ReceivePort.open(here, type, "back");
                var backOut = SendPort.open(there, type, "back")) {
            out.connect(there.id(), "in");
            backOut.connect(here.id(), "back");
            var echo = new CompletableFuture<Long>();
            Thread.ofPlatform().start(() -> echo.complete(play(in, backOut, false)));
            long asked = play(backIn, out, true);
            assertThat(asked).as("bytes for asking and hearing").isLessThan(MOST_BYTES);
            assertThat(echo.join()).as("bytes for hearing and answering").isLessThan(MOST_BYTES);
        }
    }

    /// The least that this thread allocates in one round: on a busy machine the compiler may not be
    /// done with the first ones.
    private static long play(ReceivePort in, SendPort out, boolean first) {
        var doubles = new double[100];
        exchange(in, out, first, WARM_UP, doubles);
        long least = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            exchange(in, out, first, COUNT, doubles);
            least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
        }
        return least;
    }

    private static void exchange(
            ReceivePort in, SendPort out, boolean first, int count, double[] doubles) {
        for (int i = 0; i < count; i++) {
            if (first) {
                send(out, i, doubles);
            }
            receive(in, i, doubles);
            if (!first) {
                send(out, i, doubles);
            }
        }
    }

    private static void send(SendPort out, int number, double[] doubles) {
        try (var message = out.newMessage()) {
            message.writeInt(number).writeLong(number).writeBoolean(true);
            message.writeArray(doubles, 0, doubles.length).finish();
        }
    }

    private static void receive(ReceivePort in, int number, double[] doubles) {
        try (var message = in.receive()) {
            if (message.readInt() != number || message.readLong() != number) {
                throw new AssertionError("not message " + number);
            }
            message.readBoolean();
            message.readArray(doubles, 0, doubles.length);
        }
    }
}
