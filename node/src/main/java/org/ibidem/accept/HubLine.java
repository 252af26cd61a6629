package org.ibidem.accept;

import java.io.IOException;
import java.time.Duration;
import org.ibidem.handshake.Proved;
import org.ibidem.link.StreamPath;

/// How a node gets what it needs to speak with a hub.
@FunctionalInterface
public interface HubLine {
    /// Connects to a hub.
    ///
    /// @return for a control link; the hub's key is proved
    /// @throws org.ibidem.connect.Unreachable when no way leads to a hub that takes the connection;
    ///   with every way tried
    /// @throws IOException when the hub has taken the connection, and does not speak
    Proved dial(HubPlace place, Duration limit) throws IOException;

    /// The connection under what [#dial] gave.
    default StreamPath under(Proved hub) {
        return hub.stream();
    }

    /// The hub that was connected to last has taken the node in.
    default void welcomed() {}
}
