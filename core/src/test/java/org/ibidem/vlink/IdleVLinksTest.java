package org.ibidem.vlink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.Eventually.eventually;

import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Thousands of VLinks on which nothing goes, each with a read posted at its server: what one keeps
/// in the heap, both ends together, and that they take no processor time.
@Tag("full")
@Timeout(900)
@Isolated("looks at the heap and at processor time")
class IdleVLinksTest {
    private static final int AT_ONCE = 50;
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int WATCHED_SECONDS = 5;

    /// A quarter of one core's time would be looking again and again.
    private static final double MOST_BUSY = 0.25;

    private static final long MOST_BYTES = 64 << 10;

    @ParameterizedTest
    @CsvSource({"shm, 1000", "multiplex > tcp, 10000", "multiplex > shm, 10000"}) // the few first
    void idle_ones_take_little_memory_and_no_time(String stack, int count) throws Exception {
        try (var pair = new Pair()) {
            var listener = pair.to.listen("idle", stack, count);
            Queue<VLink> served = new ConcurrentLinkedQueue<>();
            accept(listener, served);
            long before = heap();
            var clients = new ArrayList<VLink>();
            while (clients.size() < count) {
                connect(pair, stack).forEach(posted -> clients.add(VLinkTest.done(posted)));
            }
            eventually("all are accepted", () -> served.size() == count);
            long each = (heap() - before) / count;
            double busy = busy();
            System.out.printf(
                    "%d idle VLinks over %s: %d bytes of heap each (both ends), %.1f %% of a core%n",
                    count, stack, each, busy * 100);
            assertThat(busy).as("share of a core").isLessThan(MOST_BUSY);
            assertThat(each).as("bytes of heap").isBetween(1L, MOST_BYTES);
            hear(clients.get(count / 2));
        }
    }

    private static List<Posted<VLink>> connect(Pair pair, String stack) {
        return IntStream.range(0, AT_ONCE)
                .mapToObj(_ -> pair.from.connect(pair.two.id(), "idle", stack, "", LIMIT))
                .toList();
    }

    /// One of them is heard as ever.
    private static void hear(VLink link) throws InterruptedException {
        var back = new CountDownLatch(1);
        link.postRead(ByteBuffer.allocate(1)).whenDone(_ -> back.countDown());
        link.postWrite(ByteBuffer.wrap(new byte[1]));
        assertThat(back.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    private static void accept(VLinkListener listener, Queue<VLink> served) {
        listener.postAccept()
                .whenDone(one -> {
                    VLink link;
                    try {
                        link = one.result();
                    } catch (VLinkFailed _) {
                        return; // the test is over
                    }
                    served.add(link);
                    var buffer = ByteBuffer.allocate(1);
                    link.postRead(buffer).whenDone(_ -> link.postWrite(buffer.flip()));
                    accept(listener, served);
                });
    }

    private static long heap() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    /// What this process takes of one core while nothing happens.
    private static double busy() throws InterruptedException {
        long before = processorNanos();
        var never = new CountDownLatch(1);
        assertThat(never.await(WATCHED_SECONDS, TimeUnit.SECONDS)).isFalse();
        return (processorNanos() - before) / (WATCHED_SECONDS * 1e9);
    }

    private static long processorNanos() {
        var system =
                (com.sun.management.OperatingSystemMXBean)
                        ManagementFactory.getOperatingSystemMXBean();
        return system.getProcessCpuTime();
    }
}
