package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.ibidem.mpj.device.threads.Threads;
import org.junit.jupiter.api.Test;

/// Two large blocking sends that meet are named, and not buffered.
class WatchTest {
    private static final long LIMIT = TimeUnit.MILLISECONDS.toNanos(50);

    private final Threads threads = new Threads(2);
    private final List<String> said = new CopyOnWriteArrayList<>();
    private final CountDownLatch both = new CountDownLatch(2);

    private final Watch watch =
            new Watch(
                    LIMIT,
                    text -> {
                        said.add(text);
                        both.countDown();
                    });

    private Intracomm world(Threads threads, int rank) {
        Intracomm world =
                new World(threads.device(rank), false, (code, why) -> {}, watch, LastCall.unread())
                        .all();
        world.Errorhandler_set(MPI.ERRORS_RETURN);
        return world;
    }

    @Test
    void two_sends_that_meet_are_named_and_wait() throws Exception {
        List<Throwable> ends = new CopyOnWriteArrayList<>();
        List<Thread> ranks =
                List.of(sender(world(threads, 0), 1, ends), sender(world(threads, 1), 0, ends));
        assertThat(both.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(said)
                .anyMatch(text ->
                        text.startsWith("Send to rank 1 with tag 10 (100000 elements) has waited"))
                .anyMatch(text ->
                        text.contains("a message of rank 1 with tag 11 (400000 bytes) waits here"))
                .hasSize(2);
        assertThat(ends).as("both wait on").isEmpty();
        threads.fail("the test is over");
        for (Thread rank : ranks) {
            rank.join();
        }
        assertThat(ends).hasSize(2);
    }

    private static Thread sender(Intracomm world, int to, List<Throwable> ends) {
        int tag = 10 + world.Rank();
        return Thread.ofPlatform()
                .daemon()
                .start(() -> {
                    try {
                        world.Send(new int[100_000], 0, 100_000, MPI.INT, to, tag);
                    } catch (MPIException e) {
                        ends.add(e);
                    }
                });
    }

    /// It is older than two that are named, so that the watch has looked at it, too.
    @Test
    void a_send_that_only_waits_is_not_named() throws Exception {
        Threads others = new Threads(2);
        List<Throwable> ends = new CopyOnWriteArrayList<>();
        Thread waits = sender(world(others, 0), 1, ends);
        Intracomm receiver = world(others, 1);
        receiver.Probe(0, 10);
        sender(world(threads, 0), 1, new CopyOnWriteArrayList<>());
        sender(world(threads, 1), 0, new CopyOnWriteArrayList<>());
        assertThat(both.await(30, TimeUnit.SECONDS)).isTrue();
        receiver.Recv(new int[100_000], 0, 100_000, MPI.INT, 0, 10);
        waits.join();
        assertThat(said).hasSize(2);
        assertThat(ends).isEmpty();
        threads.fail("the test is over");
    }
}
