package org.ibidem.wait;

import java.nio.channels.SelectableChannel;
import org.ibidem.buffer.Tally;
import org.jspecify.annotations.Nullable;

/// Part of a filter or adapter that sleeps as what lies below it does; override what differs.
public interface WaitableOver extends Waitable {
    /// What it sleeps like; `Sleepy.of(lower)` when the lower part may be no sleeper.
    Waitable below();

    @Override
    default Armed arm() {
        return below().arm();
    }

    @Override
    default void disarm() {
        below().disarm();
    }

    @Override
    default void tally(Tally counts) {
        below().tally(counts);
    }

    @Override
    default @Nullable SelectableChannel channel() {
        return below().channel();
    }

    @Override
    default int interest() {
        return below().interest();
    }

    /// As below, but that only who overrides the poll of several looks has them.
    @Override
    default SleepTraits traits() {
        return below().traits().looksOnce();
    }

    @Override
    default void ready() {
        below().ready();
    }

    @Override
    default void bell(Doorbell bell) {
        below().bell(bell);
    }
}
