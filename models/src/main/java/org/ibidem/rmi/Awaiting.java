package org.ibidem.rmi;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/// How a call waits for what others have in hand: as long as it has time, and through interrupts
/// where it is patient.
final class Awaiting {
    private Awaiting() {}

    /// Locks for a call.
    ///
    /// @return false: its time is over
    static boolean lock(ReentrantLock lock, Calling call) throws InterruptedException {
        if (call.hasLimit()) {
            return lock.tryLock(Math.max(0, call.left()), TimeUnit.NANOSECONDS);
        } else if (call.isPatient()) {
            lock.lock();
        } else {
            lock.lockInterruptibly();
        }
        return true;
    }

    /// Takes a place for it; likewise.
    static boolean take(Semaphore places, Calling call) throws InterruptedException {
        if (call.hasLimit()) {
            return places.tryAcquire(Math.max(0, call.left()), TimeUnit.NANOSECONDS);
        } else if (call.isPatient()) {
            places.acquireUninterruptibly();
        } else {
            places.acquire();
        }
        return true;
    }
}
