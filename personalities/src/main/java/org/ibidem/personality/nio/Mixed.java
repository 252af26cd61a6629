package org.ibidem.personality.nio;

import java.nio.channels.SelectableChannel;
import java.nio.channels.Selector;
import org.ibidem.wait.DirectWait;
import org.jspecify.annotations.Nullable;

/// A channel that is the JDK's, or a VLink, or both.
interface Mixed {
    /// The JDK's part, while there is one.
    @Nullable SelectableChannel part();

    /// Which of these operations the VLink is ready for now.
    int ready(int operations);

    /// Has `bell` rung once when it is worth to ask again. The same one is rung once however often
    /// it was given.
    void watch(int operations, Runnable bell);

    /// Whether it is asked again and again, whether something has rung or not.
    default void polled(boolean yes) {}

    /// How to wait in this selector for what is to be read; null: only by [#watch].
    ///
    /// @param wakeup ends a selection, or the next one
    default @Nullable DirectWait waitsReadable(Selector selector, Runnable wakeup) {
        return null;
    }

    /// It is not rung any more.
    void unwatch(Runnable bell);

    /// It is known to this selector from now on, or not any more.
    void known(MixedKey key, boolean yes);
}
