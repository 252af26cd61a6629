package org.ibidem.control;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Lets threads wait until something has changed since they looked.
public final class Changes {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition noted = lock.newCondition();
    private long count;

    /// Nothing has changed yet.
    public Changes() {}

    /// What to hand to [#await]; to be asked before one looks.
    public long seen() {
        lock.lock();
        try {
            return count;
        } finally {
            lock.unlock();
        }
    }

    /// Something has changed: whoever waits looks again.
    public void note() {
        lock.lock();
        try {
            count++;
            noted.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Waits for a change after `seen`; false: there was none in time.
    public boolean await(long seen, long nanos) {
        lock.lock();
        try {
            long left = nanos;
            while (count == seen && left > 0) {
                left = noted.awaitNanos(left);
            }
            return count != seen;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }
}
