package org.ibidem.vlink;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What many VLinks have outside the heap: a buffer of 256 KiB for each direction was five
/// gigabytes for ten thousand of them, behind which the next ones waited for a garbage collection.
@Isolated("looks at the memory outside the heap")
class IdleBuffersTest {
    private static final int COUNT = 150;
    private static final Duration LIMIT = Duration.ofSeconds(40);

    /// A few buffers, and not one for every tenth of them.
    private static final long MOST = 4 << 20;

    @ParameterizedTest
    @ValueSource(strings = {"multiplex > tcp", "multiplex > shm"})
    void those_that_are_idle_hold_none(String stack) {
        try (var warm = new Pair()) { // what a node has once
            echo(warm, stack, 1);
        }
        System.gc();
        long before = direct();
        try (var pair = new Pair()) {
            echo(pair, stack, COUNT);
            assertThat(direct() - before).as("open, each used once").isLessThan(MOST);
        }
        assertThat(direct() - before).as("closed").isLessThan(MOST);
    }

    /// A byte goes there and back over each.
    private static void echo(Pair pair, String stack, int count) {
        var listener = pair.to.listen("idle", stack, count);
        var clients = all(count, () -> pair.from.connect(pair.two.id(), "idle", stack, "", LIMIT));
        var served = all(count, listener::postAccept);
        pass(clients, served);
        pass(served, clients);
    }

    private static void pass(List<VLink> from, List<VLink> to) {
        var reads = to.stream().map(link -> link.postRead(ByteBuffer.allocate(1))).toList();
        from.forEach(link -> VLinkTest.done(link.postWrite(ByteBuffer.allocate(1))));
        reads.forEach(VLinkTest::done);
    }

    private static <T> List<T> all(int count, Supplier<Posted<T>> posting) {
        return IntStream.range(0, count).mapToObj(_ -> posting.get()).toList().stream()
                .map(VLinkTest::done)
                .toList();
    }

    private static long direct() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
    }
}
