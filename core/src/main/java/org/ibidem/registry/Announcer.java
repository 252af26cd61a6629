package org.ibidem.registry;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.ibidem.link.Tasks;
import org.jspecify.annotations.Nullable;

/// Calls the consumers of a node's events, in order, from one task at a time. What waits is
/// bounded: whoever announces waits for room first.
final class Announcer {
    private static final Logger LOG = System.getLogger(Announcer.class.getName());
    private static final int MOST_WAITING = 1024;

    private final Tasks tasks;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition room = lock.newCondition();
    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
    private final List<Consumer<PoolEvent>> consumers = new ArrayList<>(); // the running task's
    private boolean running;

    Announcer(Tasks tasks) {
        this.tasks = tasks;
    }

    /// Waits until the consumers have nearly caught up.
    void awaitRoom() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (waiting.size() >= MOST_WAITING) {
                room.await();
            }
        } finally {
            lock.unlock();
        }
    }

    void announce(List<? extends PoolEvent> events) {
        for (var event : events) {
            enqueue(() -> List.copyOf(consumers).forEach(consumer -> call(consumer, event)));
        }
    }

    /// Adds a consumer, which is told these events first.
    void add(Consumer<PoolEvent> consumer, List<? extends PoolEvent> first) {
        enqueue(() -> {
            first.forEach(event -> call(consumer, event));
            consumers.add(consumer);
        });
    }

    private void enqueue(Runnable call) {
        lock.lock();
        try {
            waiting.add(call);
            if (!running) {
                running = true;
                tasks.start("events", this::work);
            }
        } finally {
            lock.unlock();
        }
    }

    private void work() {
        for (var call = next(); call != null; call = next()) {
            call.run();
        }
    }

    private @Nullable Runnable next() {
        lock.lock();
        try {
            var call = waiting.poll();
            running = call != null;
            room.signalAll();
            return call;
        } finally {
            lock.unlock();
        }
    }

    private static void call(Consumer<PoolEvent> consumer, PoolEvent event) {
        try {
            consumer.accept(event);
        } catch (RuntimeException e) {
            LOG.log(
                    Level.ERROR,
                    "a consumer of pool events failed on " + event + "; it gets the next ones",
                    e);
        }
    }
}
