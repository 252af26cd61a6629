package org.ibidem.lab.nemesis;

import java.util.concurrent.locks.LockSupport;
import org.ibidem.lab.history.Notebook;

/// Notes how much time its process lost: a busy machine gave it no processor, or it was stopped.
/// What one is told to do within a time can be done only in the rest of it.
final class Watch implements Runnable {
    private static final long STEP = 20_000_000;

    /// Nanoseconds; who wakes so late has lost time.
    private static final long LATE = 30_000_000;

    private final Notebook notes;
    private final String worker;

    private Watch(Notebook notes, String worker) {
        this.notes = notes;
        this.worker = worker;
    }

    /// Watches until the process ends.
    static void start(Notebook notes, String worker) {
        Thread.ofPlatform().daemon().name("watch").start(new Watch(notes, worker));
    }

    @Override
    public void run() {
        long before = System.nanoTime();
        while (true) {
            LockSupport.parkNanos(STEP);
            long now = System.nanoTime();
            long late = now - before - STEP;
            if (late > LATE) {
                notes.note(worker, "late", late / 1_000);
            }
            before = now;
        }
    }
}
