package org.ibidem.station;

import static java.lang.System.Logger.Level.WARNING;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.ibidem.config.Settings;
import org.ibidem.task.Tasks;
import org.jspecify.annotations.Nullable;

/// What a node closes before its connections, the last one first.
final class Dependents {
    private static final System.Logger LOG = System.getLogger(Dependents.class.getName());

    private static final Duration LINGER = Duration.ofSeconds(10);

    private final Tasks tasks;
    private final Deque<AutoCloseable> all = new ArrayDeque<>();

    Dependents(Tasks tasks) {
        this.tasks = tasks;
    }

    /// The setting `ibidem.linger`.
    static Duration linger() {
        return Settings.system().value("ibidem.linger", LINGER);
    }

    synchronized void add(AutoCloseable dependent) {
        all.addFirst(dependent);
    }

    /// It was closed by itself.
    synchronized void remove(AutoCloseable dependent) {
        all.remove(dependent);
    }

    private synchronized @Nullable AutoCloseable next() {
        return all.pollFirst();
    }

    private synchronized List<AutoCloseable> there() {
        return List.copyOf(all);
    }

    /// Hands on what those that linger have finished, without closing them.
    void flush() {
        for (var each : there()) {
            if (each instanceof Lingers one) {
                one.flushAtOnce();
            }
        }
    }

    /// Closes all. One that waits for a peer does not hold the others up.
    void close(long deadline) {
        var later = new ArrayList<Lingers>();
        for (var next = next(); next != null; next = next()) {
            if (!(next instanceof Lingers one)) {
                close(next);
            } else if (!one.closeAtOnce()) {
                later.add(one);
            }
        }
        var left = new CountDownLatch(later.size());
        for (var one : later) {
            tasks.attend(
                    "close " + one,
                    () -> {
                        try {
                            one.closeWithin(left(deadline));
                        } finally {
                            left.countDown();
                        }
                    });
        }
        try {
            boolean _ = left.await(left(deadline).toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // then as they are
        }
    }

    private Duration left(long deadline) {
        return Duration.ofNanos(Math.max(1, deadline - tasks.nanoTime()));
    }

    private static void close(AutoCloseable dependent) {
        try {
            dependent.close();
        } catch (Exception e) {
            LOG.log(WARNING, dependent + " could not be closed in order", e);
        }
    }
}
