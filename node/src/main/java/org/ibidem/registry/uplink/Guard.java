package org.ibidem.registry.uplink;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.ibidem.arbitration.WaitInterrupted;
import org.ibidem.link.BargingLock;
import org.ibidem.task.Tasks;

/// The one lock over what a node knows of its pool, and the one condition on which all wait for it
/// to change.
final class Guard {
    private final Tasks tasks;
    private final ReentrantLock lock = new BargingLock();
    private final Condition changed = lock.newCondition();

    Guard(Tasks tasks) {
        this.tasks = tasks;
    }

    <T> T locked(Supplier<T> body) {
        lock.lock();
        try {
            return body.get();
        } finally {
            lock.unlock();
        }
    }

    void run(Runnable body) {
        lock.lock();
        try {
            body.run();
        } finally {
            lock.unlock();
        }
    }

    /// Has all who wait look again; called under the lock.
    void changed() {
        changed.signalAll();
    }

    /// When a time limit that begins now is over.
    long deadline(Duration limit) {
        return tasks.deadline(limit);
    }

    long left(long deadline) {
        return Math.max(0, deadline - tasks.nanoTime());
    }

    /// Waits until this holds; it is looked at under the lock.
    ///
    /// @return false when the time is over
    boolean await(BooleanSupplier condition, long nanos) {
        try {
            return awaitInterruptibly(condition, nanos);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new WaitInterrupted("the hub");
        }
    }

    /// As [#await]; an interrupt is kept for later.
    boolean awaitUninterruptibly(BooleanSupplier condition, long nanos) {
        long deadline = tasks.nanoTime() + nanos;
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                try {
                    return awaitInterruptibly(condition, left(deadline));
                } catch (InterruptedException _) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    boolean awaitInterruptibly(BooleanSupplier condition, long nanos) throws InterruptedException {
        long deadline = tasks.nanoTime() + nanos;
        lock.lockInterruptibly();
        try {
            while (!condition.getAsBoolean()) {
                if (left(deadline) == 0) {
                    return false;
                }
                changed.awaitNanos(left(deadline));
            }
            return true;
        } finally {
            lock.unlock();
        }
    }
}
