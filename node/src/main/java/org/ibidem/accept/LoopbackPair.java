package org.ibidem.accept;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import org.ibidem.config.AddressFamilies;
import org.ibidem.config.NativeChannels;
import org.ibidem.connect.SocketPath;

/// The two ends of a TCP connection of this process with itself. They need no handshake: a node can
/// prove nothing to itself.
///
/// @param mine the end that connected
/// @param theirs the end that accepted
public record LoopbackPair(SocketPath mine, SocketPath theirs) {
    /// Makes the connection.
    ///
    /// @throws IOException when the system has no sockets, or no loopback
    public static LoopbackPair open() throws IOException {
        var provider = NativeChannels.provider();
        try (var listening = provider.openServerSocketChannel()) {
            listening.bind(new InetSocketAddress(AddressFamilies.loopback(), 0));
            var mine = provider.openSocketChannel();
            mine.connect(listening.getLocalAddress());
            var theirs = listening.accept();
            while (!mine.getLocalAddress().equals(theirs.getRemoteAddress())) {
                theirs.close(); // a stranger was faster
                theirs = listening.accept();
            }
            return new LoopbackPair(path(mine), path(theirs));
        }
    }

    private static SocketPath path(SocketChannel socket) throws IOException {
        socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
        return new SocketPath(socket);
    }
}
