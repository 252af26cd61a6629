package org.ibidem.wait;

import java.nio.channels.SelectableChannel;
import java.util.concurrent.locks.Lock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Sleeps until another thread of this process rings, which brings what has come.
public final class Signal implements Waitable {
    private static final SleepTraits TRAITS = new SleepTraits(false, false, true);

    private final Lock lock;
    private final BooleanSupplier quiet;
    private @Nullable Doorbell bell;
    private boolean armed;

    /// @param lock held by who rings, and here while it is asked
    /// @param quiet whether there is nothing now, and will be none without a ring
    public Signal(Lock lock, BooleanSupplier quiet) {
        this.lock = lock;
        this.quiet = quiet;
    }

    /// There may be something. With the lock.
    public void ring() {
        var mine = bell;
        if (armed && mine != null) {
            mine.ring();
        }
    }

    @Override
    public Armed arm() {
        lock.lock();
        try {
            armed = true;
            return Armed.quiet(quiet.getAsBoolean());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void disarm() {
        lock.lock();
        try {
            armed = false;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public SleepTraits traits() {
        return TRAITS;
    }

    @Override
    public @Nullable SelectableChannel channel() {
        return null;
    }

    @Override
    public int interest() {
        return 0;
    }

    @Override
    public void bell(Doorbell another) {
        lock.lock();
        try {
            bell = another;
        } finally {
            lock.unlock();
        }
    }
}
