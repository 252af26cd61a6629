package org.ibidem.wait;

import java.nio.channels.SelectableChannel;
import org.jspecify.annotations.Nullable;

/// Stands for a part that cannot sleep: it never lets its waiter.
record AlwaysReady() implements Waitable {
    @Override
    public Armed arm() {
        return Armed.READY;
    }

    @Override
    public void disarm() {}

    @Override
    public @Nullable SelectableChannel channel() {
        return null;
    }

    @Override
    public int interest() {
        return 0;
    }

    @Override
    public void bell(Doorbell bell) {}
}
