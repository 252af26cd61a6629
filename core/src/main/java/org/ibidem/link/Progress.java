package org.ibidem.link;

import java.nio.channels.SelectableChannel;
import org.jspecify.annotations.Nullable;

/// A part that has something to do as time goes by or as packets arrive, and no thread of its own:
/// acknowledgements, repetitions, pacing. Whoever waits for the part does it in passing;
/// [Tasks#drive] sees to the rest.
public interface Progress {
    /// For [#progress]: nothing is to be done before something arrives.
    long IDLE = Long.MAX_VALUE;

    /// Does what is due. Called by one thread at a time of those that [Tasks#drive] has; who waits
    /// may do the same beside it. Never blocks; what it throws ends it, and is logged.
    ///
    /// @param now as [Tasks#nanoTime]
    /// @return nanoseconds until it is to be called again, or [#IDLE]
    long progress(long now);

    /// Has it called when this can be read, too; asked once.
    default @Nullable SelectableChannel channel() {
        return null;
    }
}
