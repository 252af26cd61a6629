package org.ibidem.task;

import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import org.jspecify.annotations.Nullable;

/// A part that has something to do as time goes by or as packets arrive, and no thread of its own:
/// acknowledgements, repetitions, pacing. Whoever waits for the part does it in passing;
/// [Tasks#drive] sees to the rest.
public interface Progress {
    /// For [#progress]: nothing is to be done before something arrives.
    long IDLE = Long.MAX_VALUE;

    /// For [#progress]: it is over, and not called again.
    long OVER = Long.MIN_VALUE;

    /// Does what is due. Called by one thread at a time of those that [Tasks#drive] has; who waits
    /// may do the same beside it. Never blocks; what it throws ends it, and is logged.
    ///
    /// @param now as [Tasks#nanoTime]
    /// @return nanoseconds until it is to be called again, or [#IDLE] or [#OVER]
    long progress(long now);

    /// Has it called when this is ready, too; asked once.
    default @Nullable SelectableChannel channel() {
        return null;
    }

    /// What its channel is to be ready for, of [SelectionKey]; asked after each call.
    default int interest() {
        return SelectionKey.OP_READ;
    }

    /// Nobody drives it from now on, since the node has ended; must not block.
    default void abandoned() {}
}
