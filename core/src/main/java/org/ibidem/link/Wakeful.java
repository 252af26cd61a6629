package org.ibidem.link;

import java.nio.channels.SelectableChannel;
import org.jspecify.annotations.Nullable;

/// Stands for a part that cannot sleep: it never lets its waiter.
record Wakeful() implements Sleepy {
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
