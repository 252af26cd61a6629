package org.ibidem.link;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/// A lock that a thread of the platform gets whenever it is free.
///
/// A [ReentrantLock] that is given back wakes the thread that waits first, and the others wait
/// behind that one. If it is a virtual thread and programs' threads hold all carriers, it does not
/// run, and a thread of the platform behind it would not either, although nobody has the lock. So a
/// thread of the platform looks for itself every now and then.
public final class BargingLock extends ReentrantLock {
    private static final long serialVersionUID = 1L;
    private static final long LOOK_AGAIN_MILLIS = 5;

    /// One that nobody has.
    public BargingLock() {}

    @Override
    public void lock() {
        if (tryLock()) {
            return;
        }
        if (Thread.currentThread().isVirtual()) {
            super.lock();
        } else {
            lockOnThePlatform();
        }
    }

    private void lockOnThePlatform() {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    if (tryLock(LOOK_AGAIN_MILLIS, TimeUnit.MILLISECONDS)) {
                        return;
                    }
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
}
