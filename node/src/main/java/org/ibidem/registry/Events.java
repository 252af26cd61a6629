package org.ibidem.registry;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Events taken when it suits: [Node#events()]. They wait, 4096 at most; who is further behind gets
/// a [PoolEvent.Missed] and the difference.
public interface Events extends AutoCloseable {
    /// The next event, if there is one now.
    Optional<PoolEvent> poll();

    /// All events there are now, the oldest first.
    List<PoolEvent> pollAll();

    /// Waits for the next event.
    ///
    /// @return none when there was none within `limit`, or when the node was closed
    Optional<PoolEvent> next(Duration limit);

    /// Keeps no events any more.
    @Override
    void close();
}
