package org.ibidem.hub;

import java.time.Duration;
import org.ibidem.hub.relay.Limits;

/// How much of a hub's relaying its nodes may use. More waits: the hub reads no faster from who
/// sends too much, and so makes the sender wait.
///
/// What a node says to the hub itself counts, too: it comes over the same connection, and has to be
/// read before it is known which is which.
///
/// @param nodeRate bytes a second from one node; 0: as many as go
/// @param poolRate bytes a second from all nodes of a pool together; 0: as many as go
/// @param idle a stream that carries nothing for so long is ended; zero: never
public record RelayUse(long nodeRate, long poolRate, Duration idle) {
    /// No limit.
    public static final RelayUse UNLIMITED = new RelayUse(0, 0, Duration.ZERO);

    Limits limits() {
        return Limits.DEFAULT.use(nodeRate, poolRate, idle);
    }

    /// Checks them.
    public RelayUse {
        if (nodeRate < 0 || poolRate < 0 || idle.isNegative()) {
            throw new IllegalArgumentException(
                    "limits of relaying are 0 (none) or more, not %d and %d bytes a second, %s"
                            .formatted(nodeRate, poolRate, idle));
        }
    }
}
