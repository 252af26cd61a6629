package org.ibidem.link;

import java.io.IOException;
import java.nio.channels.SocketChannel;

/// What lies below a driver while it makes a link: the means to meet the same peer, who has proved
/// its key.
public interface Lower {
    /// True at the end that asked for the link, false at the other.
    boolean active();

    /// Unguessable and unique to this link, the same at both ends: 32 hexadecimal digits.
    String key();

    /// A fresh connection to the peer, proved, in non-blocking mode, and the driver's from now on.
    /// Blocks until the other end calls it too, for a bounded time.
    SocketChannel socket() throws IOException;

    /// The same, but a stream of one connection that all links with this peer share who ask for it:
    /// no selector takes it ([SleepyChannel]). Where nothing can be shared, one of its own.
    default SocketChannel shared() throws IOException {
        return socket();
    }

    /// For drivers and filters that need time or a thread.
    Tasks tasks();

    /// What both ends agreed on.
    Terms terms();
}
