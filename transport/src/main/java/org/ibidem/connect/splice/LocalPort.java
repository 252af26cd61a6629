package org.ibidem.connect.splice;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import org.ibidem.connect.Route;

/// A TCP port of this machine from which several connections are made: one to an observer, so that
/// a NAT's mapping of the port is known and kept, and those to the peer.
///
/// Every socket on it has `SO_REUSEADDR`, which is what lets them share it; `SO_REUSEPORT` on some
/// of them would keep them from it.
final class LocalPort implements AutoCloseable {
    private final SocketChannel holder;
    private final int number;

    private LocalPort(SocketChannel holder) throws IOException {
        this.holder = holder;
        this.number = ((InetSocketAddress) holder.getLocalAddress()).getPort();
    }

    /// Takes a free one.
    static LocalPort take() throws IOException {
        var socket = Route.socket();
        try {
            return new LocalPort(bind(socket, 0));
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    int number() {
        return number;
    }

    /// The socket that holds the port: bound, and still to be connected.
    SocketChannel holder() {
        return holder;
    }

    /// Has this socket leave from the port.
    SocketChannel bind(SocketChannel socket) throws IOException {
        return bind(socket, number);
    }

    private static SocketChannel bind(SocketChannel socket, int port) throws IOException {
        socket.setOption(StandardSocketOptions.SO_REUSEADDR, true);
        return socket.bind(new InetSocketAddress(port));
    }

    /// Lets go of it; connections made from it live on.
    @Override
    public void close() {
        try {
            holder.close();
        } catch (IOException _) {
            // it is given up in any case
        }
    }
}
