package org.ibidem.personality.vio;

import java.io.InterruptedIOException;
import java.util.concurrent.locks.LockSupport;

/// One wait of one thread. A thread of the platform waits on when it is interrupted, as in the
/// JDK's sockets; a virtual one does not.
final class Sleeper implements Runnable {
    private final Thread thread = Thread.currentThread();
    private volatile boolean told;

    @Override
    public void run() {
        told = true;
        LockSupport.unpark(thread);
    }

    /// Waits until it is told.
    ///
    /// @return false: the deadline has passed
    /// @throws InterruptedIOException when this is a virtual thread and it was interrupted
    boolean sleep(Deadline deadline) throws InterruptedIOException {
        boolean interrupted = false;
        try {
            while (!told) {
                long left = deadline.nanos();
                if (left <= 0) {
                    return false;
                }
                LockSupport.parkNanos(this, left);
                if (Thread.interrupted()) {
                    interrupted = true;
                    if (thread.isVirtual()) {
                        throw new InterruptedIOException("interrupted");
                    }
                }
            }
            return true;
        } finally {
            if (interrupted) {
                thread.interrupt();
            }
        }
    }
}
