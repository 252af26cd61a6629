package org.ibidem.satin;

import java.io.Serial;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import org.ibidem.IbidemException;
import org.ibidem.registry.Node;
import org.ibidem.registry.PoolEvent;
import org.ibidem.satin.trace.Origin;
import org.ibidem.satin.trace.Recorder;
import org.jspecify.annotations.Nullable;

/// One process's part of a job that divides and conquers. One process has the root, the program;
/// all do what it spawns. They may come and go while it runs, those that do not have the root also
/// by dying: what they had is done again.
///
/// ```java
/// try (var satin = Satin.open(node, Satin.Options.USUAL)) {
///     if (node.rank() == 0) {
///         System.out.println(satin.run(() -> fib(40)));
///         node.terminate();
///     } else {
///         satin.work();
///     }
/// }
/// ```
public final class Satin implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Satin.class.getName());
    private static final String ROOT = "satin";
    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

    /// For how long a process waits for the one that runs the program, unless it says otherwise.
    public static final Duration USUAL_PATIENCE = Duration.ofMinutes(1);

    private final Node node;
    private final Options options;
    private final Crew crew;
    private final Post post;
    private final AtomicLong runs = new AtomicLong();
    private volatile boolean ended;
    private volatile boolean rootless;

    /// What a worker has died of.
    private volatile @Nullable Throwable failed;

    /// How a process takes part.
    ///
    /// @param threads workers
    /// @param stack over which jobs travel, as for ports
    /// @param loader where the classes of jobs come from
    /// @param stealing whom a process without work asks
    /// @param copying whether jobs that stay are copied, too: what a program gets wrong because it
    ///   relies on what is shared, it gets wrong then every time
    /// @param trace the file in which what the workers do is kept, as a [Recorder] does it; none:
    ///   it is not kept
    public record Options(
            int threads,
            String stack,
            ClassLoader loader,
            Stealing stealing,
            boolean copying,
            @Nullable Path trace) {
        /// One worker, over what is nearest, with the class loader of whoever asks first.
        public static final Options USUAL =
                new Options(
                        1,
                        "auto",
                        ClassLoader.getSystemClassLoader(),
                        Stealing.CLUSTER_AWARE,
                        false,
                        null);

        /// Checks.
        public Options {
            if (threads < 1) {
                throw new IllegalArgumentException(
                        "a process has 1 worker or more, not " + threads);
            }
        }

        /// With so many workers.
        public Options threads(int count) {
            return new Options(count, stack, loader, stealing, copying, trace);
        }

        /// With classes from there.
        public Options loader(ClassLoader from) {
            return new Options(threads, stack, from, stealing, copying, trace);
        }

        /// Asking so.
        public Options stealing(Stealing whom) {
            return new Options(threads, stack, loader, whom, copying, trace);
        }

        /// Copying always, or only what is stolen.
        public Options copying(boolean always) {
            return new Options(threads, stack, loader, stealing, always, trace);
        }

        /// Keeping what the workers do in this file, or nowhere.
        public Options trace(@Nullable Path file) {
            return new Options(threads, stack, loader, stealing, copying, file);
        }
    }

    private Satin(Node node, Options options) {
        this.node = node;
        this.options = options;
        this.crew =
                new Crew(
                        Copies.policy(node.isGoverned(), options.loader()),
                        options.copying(),
                        node.id());
        var trace = options.trace();
        if (trace != null) {
            var origin = new Origin(node.rank(), node.id(), Victims.site(node.location()));
            crew.record(Recorder.create(trace, origin, options.threads()));
        }
        this.post = new Post(crew, node, options);
        crew.others(post);
    }

    /// Takes part with this node, which stays the caller's to close.
    ///
    /// @throws IbidemException when it is to be traced, and the file for that cannot be made
    public static Satin open(Node node, Options options) {
        return new Satin(node, options);
    }

    /// Says to all that the root is here, as [#run] does where it was not said before: for a root
    /// that has something to wait for first.
    public void lead() {
        node.elections().elect(ROOT);
    }

    /// Runs the root, in a worker, and waits for its end. What it has spawned has ended then, too.
    ///
    /// @return what it gives
    /// @throws ExecutionException with what it throws
    public <T> T run(Callable<T> root) throws ExecutionException, InterruptedException {
        lead();
        var task = new FutureTask<>(root);
        start(task, options.threads() - 1);
        try {
            return task.get();
        } finally {
            ended = true;
        }
    }

    /// As [#work(Duration)], with [#USUAL_PATIENCE].
    public void work() throws InterruptedException {
        work(USUAL_PATIENCE);
    }

    /// Does jobs of others until the pool is terminated.
    ///
    /// @param patience how long to wait for the process that has the root. A pool without members
    ///   is forgotten: who comes after the program's end is the first of a new one
    /// @throws RootLost when the process that has the root is gone and has not terminated it, or
    ///   has not come
    /// @throws IbidemException when a worker here has failed, as one may where there is no memory
    ///   left. What this process has of others is done by those when its node is closed
    public void work(Duration patience) throws InterruptedException {
        try (var _ = node.events(this::happened)) {
            start(null, options.threads());
            long latest = System.nanoTime() + patience.toNanos();
            boolean led = false;
            while (node.awaitTerminated(led ? LOOK_EVERY : next(latest)).isEmpty()) {
                var why = failed;
                if (why != null) {
                    throw new IbidemException(
                            "a worker of this process has failed: start it again", why);
                }
                if (rootless) {
                    throw new RootLost(
                            "the process that runs the program is gone: start the job again");
                }
                led = led || node.elections().result(ROOT).isPresent();
                if (!led && latest - System.nanoTime() <= 0) {
                    throw new RootLost(
                            "no process of pool '"
                                    + node.pool()
                                    + "' has begun the program within "
                                    + patience.toSeconds()
                                    + " s: it has ended, or its rank 0 was not started; start that,"
                                    + " or set ibidem.satin.patience to wait longer");
                }
            }
        } finally {
            ended = true;
        }
    }

    private static Duration next(long latest) {
        var left = Duration.ofNanos(Math.max(0, latest - System.nanoTime()));
        return left.compareTo(LOOK_EVERY) < 0 ? left : LOOK_EVERY;
    }

    private void happened(PoolEvent event) {
        if (event instanceof PoolEvent.Vacated vacated && vacated.election().equals(ROOT)) {
            rootless = true;
        }
    }

    private void start(@Nullable Runnable root, int thieves) {
        var workers = new ArrayList<Worker>();
        if (root != null) {
            workers.add(new Worker(crew, "main", runs.incrementAndGet(), root));
        }
        for (int i = 0; i < thieves; i++) {
            workers.add(new Worker(crew, "satin-" + i, 0, this::steal));
        }
        crew.workers(workers);
        for (var worker : workers) {
            worker.setContextClassLoader(options.loader());
            worker.start();
        }
    }

    private void steal() {
        var worker = Worker.current();
        try {
            while (worker != null && !ended) {
                if (!worker.doForOthers()) {
                    worker.rest();
                }
            }
        } catch (RuntimeException | Error e) {
            LOG.log(Level.ERROR, worker + " ends, others do what it had", e);
            failed = e;
            crew.died(Objects.requireNonNull(worker));
        }
    }

    /// What this process has done so far.
    public Statistics statistics() {
        return crew.statistics();
    }

    /// What the processes of each site have done so far, those that are gone among them, as far as
    /// they have said. Asks all that are there.
    ///
    /// @param within how long to wait for their answers; who is late is told of by what it said
    ///   before
    /// @return by the names of sites
    public List<Tally> tallies(Duration within) throws InterruptedException {
        post.count(within);
        return post.tallies();
    }

    /// Takes part no more: what became of jobs of others is still sent to those, for which this
    /// waits as a node that is closed does; jobs that are under way here are done by those again.
    @Override
    public void close() {
        ended = true;
        post.close();
    }

    /// The process that runs the program is gone, or has not come.
    public static final class RootLost extends IbidemException {
        @Serial private static final long serialVersionUID = 1;

        private RootLost(String message) {
            super(message);
        }
    }
}
