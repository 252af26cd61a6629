package org.ibidem.rmi;

import java.util.ArrayDeque;
import java.util.Queue;
import org.ibidem.task.Tasks;

/// The calls of an active object: one at a time, in the order of their coming.
final class Turns {
    private final Tasks tasks;
    private final int most;
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private boolean running;

    /// @param most calls that wait
    Turns(Tasks tasks, int most) {
        this.tasks = tasks;
        this.most = most;
    }

    /// Has a call run when it is its turn.
    ///
    /// @return false: as many wait as may
    synchronized boolean add(String title, Runnable call) {
        if (running) {
            return waiting.size() < most && waiting.add(() -> start(title, call));
        }
        running = true;
        start(title, call);
        return true;
    }

    private void start(String title, Runnable call) {
        tasks.start(
                title,
                () -> {
                    try {
                        call.run();
                    } finally {
                        next();
                    }
                });
    }

    private synchronized void next() {
        var next = waiting.poll();
        if (next == null) {
            running = false;
        } else {
            next.run();
        }
    }

    synchronized int waiting() {
        return waiting.size();
    }
}
