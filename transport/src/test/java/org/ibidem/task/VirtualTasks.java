package org.ibidem.task;

import java.time.Duration;

/// Tasks that are virtual threads, in the real time. Nobody ends them: a test that starts some
/// waits for them, or lets them end by what they use.
public record VirtualTasks() implements Tasks {
    @Override
    public Task start(String name, Runnable body) {
        return Thread.ofVirtual().name(name).start(body)::interrupt;
    }

    @Override
    public Task after(Duration delay, String name, Runnable body) {
        return start(
                name,
                () -> {
                    try {
                        Thread.sleep(delay);
                    } catch (InterruptedException _) {
                        return;
                    }
                    body.run();
                });
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }
}
