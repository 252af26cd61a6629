package org.ibidem.link;

import java.nio.channels.SelectableChannel;
import org.ibidem.buffer.Tally;
import org.jspecify.annotations.Nullable;

/// An ability of sources, sinks and streams: a waiter may sleep until there is something to do.
///
/// The order is: [#arm]; look again; sleep until the channel is ready or the bell rings; [#disarm];
/// look again. One waiter at a time. Neither [#arm] nor [#disarm] throws: a waiter sleeps on
/// several, and what is wrong with one is said by the next look at that one.
public interface Sleepy {
    /// Says that the waiter is about to sleep, so that the other side wakes it.
    ///
    /// @return false: do not sleep, look again (there is something already)
    boolean arm();

    /// Says that the waiter is awake again.
    void disarm();

    /// Whether the other side may miss [#arm] by a moment, for a millisecond after the first: until
    /// then the waiter sleeps for a millisecond first, asks [#stillQuiet], and only then sleeps for
    /// long.
    default boolean settles() {
        return false;
    }

    /// Whether the next sleep is like a first one, because what the other side looks at is
    /// elsewhere now. Asked once before each sleep that may settle.
    default boolean settlesAnew() {
        return false;
    }

    /// Nothing slept here for long: the other side need not take care of it. The next sleep settles
    /// again.
    default void seldomSleeps() {}

    /// Looks once more, armed as it is.
    ///
    /// @return false: do not sleep on
    default boolean stillQuiet() {
        return true;
    }

    /// What to select on, or null when the other side rings the bell instead.
    @Nullable SelectableChannel channel();

    /// The interest set for [#channel], of `SelectionKey`; 0: not now.
    int interest();

    /// Does [#channel] become ready whenever there is something to do, armed or not? Then a waiter
    /// of several need not look at each of them: who is not ready has nothing. Must be false for a
    /// part that may have something by the mere passing of time.
    default boolean announces() {
        return false;
    }

    /// Can several looks be had in one poll? Then one that waits for nothing else asks for them.
    default boolean looksMore() {
        return false;
    }

    /// Called by the waiter's thread when [#channel] was found ready.
    default void ready() {}

    /// Where to count claims refused, doorbells rung and rings moved; called before the first use.
    default void tally(Tally counts) {}

    /// Where to ring when [#channel] is null, or when another waiter of the same channel took the
    /// wake-up; called before the first [#arm].
    void bell(Doorbell bell);

    /// The sleeper that `part` is, or one that never sleeps when it is none (or null).
    static Sleepy of(@Nullable Object part) {
        return part instanceof Sleepy sleepy ? sleepy : new Wakeful();
    }
}
