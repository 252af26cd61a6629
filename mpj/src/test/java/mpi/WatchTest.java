package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.ibidem.mpj.device.Device;
import org.ibidem.mpj.device.circuit.CircuitDevice;
import org.ibidem.mpj.device.threads.Threads;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Two large blocking sends that meet are named, and not buffered, whatever they travel by.
@Timeout(60)
class WatchTest {
    private static final long LIMIT = TimeUnit.MILLISECONDS.toNanos(50);

    enum Over {
        THREADS(""),
        SHM("shm"),
        TCP("tcp"),
        RELIABLE_UDP("reliable > udp"),
        ROUTED("tcp");

        private final String stack;

        Over(String stack) {
            this.stack = stack;
        }

        Two open() {
            return this == THREADS ? new TwoThreads() : new TwoNodes(stack, this == ROUTED);
        }
    }

    /// Two ranks, of which nothing is left in the end.
    interface Two extends AutoCloseable {
        Device device(int rank);

        /// What waits ends with a failure.
        void fail();

        @Override
        default void close() {
            fail();
        }
    }

    private static final class TwoThreads implements Two {
        private final Threads threads = new Threads(2);

        @Override
        public Device device(int rank) {
            return threads.device(rank);
        }

        @Override
        public void fail() {
            threads.fail("the test is over");
        }
    }

    private static final class TwoNodes implements Two {
        private final OverCircuits nodes;

        TwoNodes(String stack, boolean routed) {
            nodes = new OverCircuits(2, stack, routed, CircuitDevice.Limits.USUAL);
        }

        @Override
        public Device device(int rank) {
            return nodes.device(rank);
        }

        @Override
        public void fail() {
            nodes.dies(0, 1);
            nodes.dies(1, 0);
        }

        @Override
        public void close() {
            fail();
            nodes.close();
        }
    }

    private final List<String> said = new CopyOnWriteArrayList<>();
    private final CountDownLatch both = new CountDownLatch(2);

    private final Watch watch =
            new Watch(
                    LIMIT,
                    text -> {
                        said.add(text);
                        both.countDown();
                    });

    private Intracomm world(Two job, int rank) {
        Intracomm world =
                new World(job.device(rank), false, (code, why) -> {}, watch, LastCall.unread())
                        .all();
        world.Errorhandler_set(MPI.ERRORS_RETURN);
        return world;
    }

    @ParameterizedTest
    @EnumSource
    void two_sends_that_meet_are_named_and_wait(Over over) throws Exception {
        try (Two job = over.open()) {
            List<Throwable> ends = new CopyOnWriteArrayList<>();
            List<Thread> ranks =
                    List.of(sender(world(job, 0), 1, ends), sender(world(job, 1), 0, ends));
            assertThat(both.await(40, TimeUnit.SECONDS)).isTrue();
            assertThat(said)
                    .anyMatch(text ->
                            text.startsWith(
                                    "Send to rank 1 with tag 10 (100000 elements) has waited"))
                    .anyMatch(text ->
                            text.contains(
                                    "a message of rank 1 with tag 11 (400000 bytes) waits here"))
                    .hasSize(2);
            assertThat(ends).as("both wait on").isEmpty();
            job.fail();
            for (Thread rank : ranks) {
                rank.join();
            }
            assertThat(ends).hasSize(2);
        }
    }

    private static Thread sender(Intracomm world, int to, List<Throwable> ends) {
        int tag = 10 + world.Rank();
        return Thread.ofPlatform()
                .daemon()
                .start(() -> {
                    try {
                        world.Send(new int[100_000], 0, 100_000, MPI.INT, to, tag);
                    } catch (RuntimeException e) { // of what has ended below it, too
                        ends.add(e);
                    }
                });
    }

    /// It is older than two that are named, so that the watch has looked at it, too.
    @ParameterizedTest
    @EnumSource
    void a_send_that_only_waits_is_not_named(Over over) throws Exception {
        try (Two job = over.open();
                Two others = over.open()) {
            List<Throwable> ends = new CopyOnWriteArrayList<>();
            Intracomm sender = world(others, 0);
            Thread waits = sender(sender, 1, ends);
            Intracomm receiver = world(others, 1);
            receiver.Probe(0, 10);
            sender(world(job, 0), 1, new CopyOnWriteArrayList<>());
            sender(world(job, 1), 0, new CopyOnWriteArrayList<>());
            assertThat(both.await(40, TimeUnit.SECONDS)).isTrue();
            Request received = receiver.Irecv(new int[100_000], 0, 100_000, MPI.INT, 0, 10);
            while (received.Test() == null) {
                sender.Iprobe(1, 10); // what it has sent may still be on its way
                assertThat(Thread.currentThread().isInterrupted()).as("too late").isFalse();
            }
            waits.join();
            assertThat(said).hasSize(2);
            assertThat(ends).isEmpty();
        }
    }
}
