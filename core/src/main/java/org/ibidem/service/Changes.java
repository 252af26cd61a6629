package org.ibidem.service;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Lets threads wait until something has changed since they looked.
final class Changes {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition noted = lock.newCondition();
    private long count;

    /// What to hand to [#await]; to be asked before one looks.
    long seen() {
        lock.lock();
        try {
            return count;
        } finally {
            lock.unlock();
        }
    }

    void note() {
        lock.lock();
        try {
            count++;
            noted.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Waits for a change after `seen`; false: there was none in time.
    boolean await(long seen, long nanos) {
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
