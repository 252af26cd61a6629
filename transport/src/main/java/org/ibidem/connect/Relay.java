package org.ibidem.connect;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.ibidem.link.StreamPath;
import org.ibidem.topology.NodeId;

/// Somebody whom both ends reach, and who carries bytes between them.
public interface Relay {
    /// Opens a stream to a node that has a connection to the relay, too.
    ///
    /// @return in blocking mode; what comes out there is accepted as a connection to that node is
    /// @throws IOException when the relay does not reach it or carries no more; the message says
    ///   why
    /// @throws InterruptedException when it is not wanted any more
    StreamPath open(NodeId peer, Duration limit) throws IOException, InterruptedException;

    /// Where the relay is.
    InetSocketAddress address();
}
