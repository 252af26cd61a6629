package org.ibidem.task;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/// Tasks of which a node's life depends, whoever starts them: as the others, but those that would
/// be virtual threads are [vital][Tasks#vital].
///
/// @param under runs them
public record VitalTasks(Tasks under) implements Tasks {
    @Override
    public Task start(String name, Runnable body) {
        return under.vital(name, body);
    }

    @Override
    public Task attend(String name, Runnable body) {
        return under.vital(name, body);
    }

    @Override
    public Task vital(String name, Runnable body) {
        return under.vital(name, body);
    }

    @Override
    public void block(String name, Runnable body) {
        under.block(name, body);
    }

    @Override
    public Task after(Duration delay, String name, Runnable body) {
        return under.after(delay, name, body);
    }

    @Override
    public Task alarm(Duration delay, String name, Runnable body) {
        return under.alarm(delay, name, body);
    }

    @Override
    public Task repeat(Duration pause, String name, BooleanSupplier body) {
        return under.repeat(pause, name, body);
    }

    @Override
    public void pause(Duration time) throws InterruptedException {
        under.pause(time);
    }

    @Override
    public Driven drive(String name, Progress part) {
        return under.drive(name, part);
    }

    @Override
    public long nanoTime() {
        return under.nanoTime();
    }
}
