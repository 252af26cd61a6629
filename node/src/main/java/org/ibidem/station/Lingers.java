package org.ibidem.station;

import java.time.Duration;

/// What may have to wait for a peer before it can be closed without loss.
public interface Lingers extends AutoCloseable {
    /// Hands on what is finished, as far as that needs no waiting.
    void flushAtOnce();

    /// Closes it if that needs no waiting.
    ///
    /// @return false: it is still open
    boolean closeAtOnce();

    /// Closes it, waiting so long at most for room for what is to be said last. That it arrives is
    /// for the node to wait for.
    void closeWithin(Duration limit);

    @Override
    void close();
}
