package org.ibidem.lab.fuzz;

import java.time.Duration;
import org.ibidem.task.Tasks;

/// Nothing runs by itself, and no time passes.
public final class Never implements Tasks {
    @Override
    public Task start(String name, Runnable body) {
        return () -> {};
    }

    @Override
    public Task after(Duration delay, String name, Runnable body) {
        return () -> {};
    }

    @Override
    public long nanoTime() {
        return 0;
    }
}
