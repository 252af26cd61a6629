package org.ibidem.wait;

import java.nio.channels.SelectableChannel;
import org.ibidem.buffer.Tally;
import org.jspecify.annotations.Nullable;

/// An ability of sources, sinks and streams: a waiter may sleep until there is something to do.
///
/// The order is: [#arm]; sleep until the channel is ready or the bell rings, as [Armed] says;
/// [#disarm]; look again. One waiter at a time. Neither [#arm] nor [#disarm] throws: a waiter
/// sleeps on several, and what is wrong with one is said by the next look at that one.
public interface Waitable {
    /// Says that the waiter is about to sleep, so that the other side wakes it, and looks whether
    /// there is something. Once more while it is armed: looks again.
    Armed arm();

    /// Says that the waiter is awake again.
    void disarm();

    /// What it is like; always the same.
    default SleepTraits traits() {
        return SleepTraits.NONE;
    }

    /// What to select on, or null when the other side rings the bell instead.
    @Nullable SelectableChannel channel();

    /// The interest set for [#channel], of `SelectionKey`; 0: not now.
    int interest();

    /// Called by the waiter's thread when [#channel] was found ready.
    default void ready() {}

    /// Where to count claims refused, doorbells rung and rings moved; called before the first use.
    default void tally(Tally counts) {}

    /// Where to ring when [#channel] is null, or when another waiter of the same channel took the
    /// wake-up; called before the first [#arm].
    void bell(Doorbell bell);

    /// The sleeper that `part` is, or one that never sleeps when it is none (or null).
    static Waitable of(@Nullable Object part) {
        return part instanceof Waitable sleepy ? sleepy : new AlwaysReady();
    }
}
