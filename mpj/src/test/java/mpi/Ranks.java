package mpi;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import org.ibidem.mpj.device.Device;
import org.ibidem.mpj.device.threads.Threads;

/// Runs a program of several ranks, each a thread with a [World] of its own.
final class Ranks {
    private static final boolean FULL = Boolean.getBoolean("ibidem.full");

    /// So many ranks are over a network, too.
    private static final int NETWORKED = 3;

    /// What each rank does.
    interface Program {
        void run(Intracomm world) throws Exception;
    }

    /// A job of so many ranks.
    ///
    /// @param device of a rank
    /// @param fail ends what all wait for
    record Job(IntFunction<Device> device, Runnable fail) {}

    /// The threads of a JVM that all tests run over: messages kept for their receivers, as far as
    /// there is room; none kept; only very small ones.
    enum Over {
        KEPT(128 << 10, 4 << 20),
        RENDEZVOUS(-1, 0),
        LITTLE_ROOM(64, 100);

        private final int eager;
        private final int room;

        Over(int eager, int room) {
            this.eager = eager;
            this.room = room;
        }

        Job job(int size) {
            Threads threads = new Threads(size, eager, room);
            return new Job(threads::device, () -> threads.fail("another rank has failed"));
        }

        void run(int size, Program program) {
            Ranks.run(job(size), size, false, program);
        }
    }

    private Ranks() {}

    /// Over threads in each way, and over one network, all of them by turns; over all with
    /// `ibidem.full`.
    static void run(int size, Program program) {
        run(size, program, Over.values());
        if (FULL) {
            List.of(Network.values()).forEach(network -> network.run(size, program));
        } else if (size <= Network.MOST) {
            Network.next().run(size, program);
        }
    }

    /// Over threads, in some ways.
    static void run(int size, Program program, Over... devices) {
        for (Over over : devices) {
            over.run(size, program);
        }
    }

    /// On 1 to 5 ranks, over all devices.
    static void each(Program program) {
        for (int size = 1; size <= 5; size++) {
            if (FULL || size == NETWORKED) {
                run(size, program);
            } else {
                run(size, program, Over.values());
            }
        }
    }

    static void run(Job job, int size, boolean debug, Program program) {
        AtomicReference<Throwable> first = new AtomicReference<>();
        List<Thread> threads = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            Device device = job.device().apply(rank);
            threads.add(
                    Thread.ofPlatform()
                            .name("rank " + rank)
                            .daemon()
                            .start(() -> {
                                try {
                                    World world = new World(device, debug, (code, why) -> {});
                                    program.run(world.all());
                                    world.end();
                                } catch (Throwable e) {
                                    if (first.compareAndSet(null, e)) {
                                        job.fail().run();
                                    }
                                }
                            }));
        }
        join(threads);
        rethrow(first.get(), size);
    }

    private static void join(List<Thread> threads) {
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private static void rethrow(Throwable failure, int size) {
        if (failure != null) {
            throw new AssertionError("on " + size + " ranks: " + failure.getMessage(), failure);
        }
    }
}
