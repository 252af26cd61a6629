package org.ibidem.messaging;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.ibidem.IbidemException;
import org.ibidem.arbitration.WaitInterrupted;
import org.ibidem.port.Origin;
import org.jspecify.annotations.Nullable;

/// What one subscriber gets: so many objects are on their way, those that follow wait here, and one
/// task sends them. How many are on their way is known by what the subscriber says it has taken.
///
/// @param <T> the kind of object
final class Feed<T> {
    /// Objects on their way, where the overflow is not to block.
    static final int WINDOW = 16;

    /// Where objects may be lost on their way it is not known for ever how many are: one more goes
    /// out.
    private static final Duration LOST = Duration.ofMillis(200);

    private final Origin to;
    private final Overflow<? super T> overflow;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    /// By key where they are conflated, else by a number that no other has.
    private final SequencedMap<Object, T> waiting = new LinkedHashMap<>();

    private long added;
    private long sent;
    private long taken;
    private long dropped;
    private boolean closed;

    /// One that waits no more is being written.
    private boolean inHand;

    Feed(Origin to, Overflow<? super T> overflow) {
        this.to = to;
        this.overflow = overflow;
    }

    /// How it stands with a subscriber.
    Delivery delivery() {
        lock.lock();
        try {
            return new Delivery(to.node(), sent, dropped, waiting.size());
        } finally {
            lock.unlock();
        }
    }

    void addAll(Collection<T> retained) {
        retained.forEach(this::add);
    }

    /// Adds an object; waits for its place where that is wanted.
    void add(T object) {
        lock.lock();
        try {
            if (!closed && makesPlace(object)) {
                put(object);
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    private void put(T object) {
        var key = overflow.conflates() ? overflow.key(object) : (Object) added;
        added++;
        if (waiting.put(key, object) != null) {
            dropped++;
        }
    }

    /// @return false: it is dropped
    private boolean makesPlace(T object) {
        if (waiting.size() < overflow.depth) {
            return true;
        }
        switch (overflow.kind) {
            case BLOCK -> {
                return awaitPlace();
            }
            case DROP_NEWEST -> {
                dropped++;
                return false;
            }
            case DROP_OLDEST -> dropOldest();
            case CONFLATE -> {
                if (!waiting.containsKey(overflow.key(object))) {
                    dropOldest();
                }
            }
        }
        return true;
    }

    private void dropOldest() {
        waiting.pollFirstEntry();
        dropped++;
    }

    private boolean awaitPlace() {
        try {
            while (!closed && waiting.size() >= overflow.depth) {
                changed.await();
            }
            return !closed;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new WaitInterrupted();
        }
    }

    /// The subscriber has taken what has this number, and all before it.
    void taken(long number) {
        lock.lock();
        try {
            taken = Math.clamp(number + 1, taken, Math.max(taken, sent));
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void close() {
        lock.lock();
        try {
            closed = true;
            waiting.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Has what comes written, until this is closed or the subscriber is gone.
    void run(Consumer<T> written) {
        try {
            for (var next = next(); next != null; next = next()) {
                written.accept(next);
            }
        } catch (IbidemException _) {
            // it is gone, which whoever looks after connections hears, too
        } finally {
            close();
        }
    }

    private @Nullable T next() {
        lock.lock();
        try {
            done();
            long lost = LOST.toNanos();
            while (!closed && (waiting.isEmpty() || (isFull() && lost > 0))) {
                if (waiting.isEmpty()) {
                    changed.await();
                } else {
                    lost = changed.awaitNanos(lost);
                }
            }
            var first = waiting.pollFirstEntry();
            if (closed || first == null) {
                return null;
            }
            sent++;
            inHand = true;
            changed.signalAll();
            return first.getValue();
        } catch (InterruptedException _) {
            return null; // its node is closed
        } finally {
            lock.unlock();
        }
    }

    private void done() {
        if (inHand) {
            inHand = false;
            changed.signalAll();
        }
    }

    private boolean isFull() {
        return overflow.kind != Overflow.Kind.BLOCK && sent - taken >= WINDOW;
    }

    /// Waits until all there was has been written, for a while.
    boolean drained(Duration limit) {
        lock.lock();
        try {
            long left = limit.toNanos();
            while (!closed && isBusy() && left > 0) {
                left = changed.awaitNanos(left);
            }
            return !isBusy();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }

    private boolean isBusy() {
        return inHand || !waiting.isEmpty();
    }

    @Override
    public String toString() {
        return delivery().toString();
    }
}
