package org.ibidem.apps.life;

import org.ibidem.topology.NodeId;

/// What carries letters.
interface Post {
    /// Sends one, to this process itself perhaps. One that cannot be sent is a reason to plan anew,
    /// not to fail.
    void send(NodeId to, Letter letter);
}
