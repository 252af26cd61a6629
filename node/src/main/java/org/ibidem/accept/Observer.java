package org.ibidem.accept;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Somebody outside who tells from which address a connection comes.
@FunctionalInterface
public interface Observer {
    /// Connects this socket to him and asks.
    ///
    /// @param socket bound, not connected
    /// @return null when he has no address of the socket's family
    /// @throws IOException when he cannot be reached
    @Nullable InetSocketAddress observe(SocketChannel socket, Duration limit) throws IOException;
}
