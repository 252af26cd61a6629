package org.ibidem.control;

import org.ibidem.arbitration.Threads;
import org.ibidem.task.ManualTasks;
import org.ibidem.task.Progress;

/// Tasks that run at once on threads of their own; only those that wait for their time run in the
/// thread of the test, which lets it pass.
public final class SteppedTasks extends ManualTasks implements AutoCloseable {
    private final Threads threads = new Threads("test");

    @Override
    public Task start(String name, Runnable body) {
        return threads.start(name, body);
    }

    @Override
    public Driven drive(String name, Progress part) {
        return threads.drive(name, part);
    }

    /// How many tasks run or wait.
    @Override
    public int size() {
        return waiting() + threads.size();
    }

    @Override
    public void close() {
        threads.close();
    }
}
