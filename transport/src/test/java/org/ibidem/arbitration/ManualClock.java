package org.ibidem.arbitration;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/// A clock that stands still until a test moves it.
public final class ManualClock implements Clock {
    private final AtomicLong nanos =
            new AtomicLong(Long.MAX_VALUE - 5_000_000_000L); // it overflows
    private final List<Runnable> lookers = new CopyOnWriteArrayList<>();

    @Override
    public long nanoTime() {
        return nanos.get();
    }

    @Override
    public void whenMoved(Runnable look) {
        lookers.add(look);
    }

    /// Lets time pass.
    public void advance(Duration by) {
        nanos.addAndGet(by.toNanos());
        lookers.forEach(Runnable::run);
    }
}
