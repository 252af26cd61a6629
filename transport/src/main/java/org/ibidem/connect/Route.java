package org.ibidem.connect;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import org.ibidem.config.NativeChannels;
import org.ibidem.link.Path;
import org.ibidem.task.Tasks;

/// One way to one address, to be tried in a [Race].
public interface Route {
    /// Where it leads.
    InetSocketAddress address();

    /// How it gets there, for people, such as `through socks5://10.0.0.1:1080`; empty for a plain
    /// connection.
    default String via() {
        return "";
    }

    /// How many of its connections may fail to prove the peer before it is given up; 1 unless the
    /// next one may fare better.
    default int connections() {
        return 1;
    }

    /// The peer has proved itself over this connection.
    ///
    /// @throws IOException when the connection has broken meanwhile
    default void proved(Path connection) throws IOException {}

    /// What it has gone through so far, for people; asked from another thread when the time is
    /// over.
    default String progress() {
        return "";
    }

    /// Makes the connection; blocks until then. Runs on a thread that is interrupted when it is not
    /// wanted any more.
    ///
    /// @param sockets gives the sockets for it; all but the one returned are for this method to
    ///   close
    /// @return connected, in blocking mode, nothing sent or read that its other end would miss
    /// @throws IOException with the reason, for people: a message of its own, or the system's
    /// @throws InterruptedException when it is not wanted any more
    Path connect(Sockets sockets) throws IOException, InterruptedException;

    /// Where a route gets its sockets from, so that others can close what it waits for.
    @FunctionalInterface
    interface Sockets {
        /// A new one, not connected, with small writes sent at once.
        ///
        /// @throws IOException when the system has none, or no more are wanted
        SocketChannel open() throws IOException;
    }

    /// The plain way: a TCP connection to an address.
    static Plain to(InetSocketAddress address, Tasks tasks) {
        return new Plain(address, tasks);
    }

    /// The plain way.
    ///
    /// @param address where it leads
    /// @param tasks of the node
    record Plain(InetSocketAddress address, Tasks tasks) implements Route {
        @Override
        public SocketPath connect(Sockets sockets) throws IOException {
            var socket = sockets.open();
            new BriefWait(tasks).connect(socket, address);
            return new SocketPath(socket);
        }
    }

    /// A socket as [Sockets] are to give them.
    static SocketChannel socket() throws IOException {
        var channel = NativeChannels.provider().openSocketChannel();
        try {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            return channel;
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }
}
