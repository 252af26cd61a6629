package org.ibidem.rmi;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The calls that may run at once. One that waits for a call of its own does not run meanwhile, so
/// no bound can make calls that call back wait for each other.
final class Places {
    private final Semaphore free;

    /// Whether a thread that runs a call has its place; null: it runs none.
    private final ThreadLocal<@Nullable Boolean> mine = new ThreadLocal<>();

    Places(int count) {
        this.free = new Semaphore(count, true);
    }

    /// Takes a place for a call that another thread will run.
    void take() throws InterruptedException {
        free.acquire();
    }

    /// The same without waiting.
    ///
    /// @return false: there is none, or others wait for one
    boolean tryTake() throws InterruptedException {
        return free.tryAcquire(0, TimeUnit.NANOSECONDS);
    }

    /// The same for one that this thread will run.
    void takeUninterruptibly() {
        free.acquireUninterruptibly();
    }

    /// This thread runs a call, in a place that was taken.
    void begin() {
        mine.set(true);
    }

    /// Its method is over.
    void end() {
        mine.set(null);
        free.release();
    }

    /// Whether this thread runs a call.
    boolean isRunning() {
        return mine.get() != null;
    }

    /// It makes a call of its own, if it runs one, and may wait.
    ///
    /// @return whether it gives its place back; for [#resume]
    boolean pause() {
        boolean gives = Boolean.TRUE.equals(mine.get());
        if (gives) {
            mine.set(false);
            free.release();
        }
        return gives;
    }

    void resume(boolean gave) {
        if (gave) {
            free.acquireUninterruptibly();
            mine.set(true);
        }
    }
}
