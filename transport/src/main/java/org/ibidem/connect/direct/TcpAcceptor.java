package org.ibidem.connect.direct;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.ibidem.config.AddressFamilies;
import org.ibidem.config.NativeChannels;
import org.ibidem.connect.Heartbeat;
import org.ibidem.connect.SocketPath;

/// A listening TCP socket.
public final class TcpAcceptor implements AutoCloseable {
    private static final int BACKLOG = 1024;
    private static final int TRIES = 32;

    private final ServerSocketChannel channel;
    private final InetSocketAddress address;
    private final Semaphore accepting = new Semaphore(1);

    private TcpAcceptor(ServerSocketChannel channel) throws IOException {
        this.channel = channel;
        this.address = (InetSocketAddress) channel.getLocalAddress();
    }

    /// Listens on one port, with IPv4 and IPv6 where the machine has them.
    ///
    /// @param port 0 for any free one
    /// @param open true: on all interfaces; false: on the loopback addresses only
    /// @return one acceptor, or one per loopback address; all have the same port
    /// @throws IOException when the port is taken or may not be used, or there is no loopback
    ///   address
    public static List<TcpAcceptor> bind(int port, boolean open) throws IOException {
        if (open) {
            return List.of(bind(new InetSocketAddress(port)));
        }
        for (int tries = 1; ; tries++) {
            var first = bind(new InetSocketAddress(AddressFamilies.loopback(), port));
            try {
                return withOthers(first);
            } catch (IOException e) {
                // Someone else has this port on ::1; a free one can be looked for, a given one
                // cannot.
                first.close();
                if (port != 0 || tries == TRIES) {
                    throw e;
                }
            }
        }
    }

    /// Waits for the next connection: in blocking mode, small writes sent at once.
    ///
    /// @throws java.nio.channels.ClosedChannelException when this acceptor was closed
    /// @throws IOException when the system cannot give one now; the next call may succeed
    public SocketPath accept() throws IOException {
        var accepted = next();
        try {
            accepted.setOption(StandardSocketOptions.TCP_NODELAY, true);
            Heartbeat.USUAL.keep(accepted);
            return new SocketPath(accepted);
        } catch (IOException _) {
            return new SocketPath(
                    accepted); // reset before it was looked at: its first read will say so
        }
    }

    /// Where it listens.
    public InetSocketAddress address() {
        return address;
    }

    /// Listens no more: when this returns the port is free.
    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException _) {
            // it listens no more; nothing else was wanted
        }
        // The system's socket lives until whoever waits in accept has left it, a moment after the
        // close.
        accepting.acquireUninterruptibly();
        accepting.release();
    }

    private SocketChannel next() throws IOException {
        accepting.acquireUninterruptibly();
        try {
            return channel.accept();
        } finally {
            accepting.release();
        }
    }

    /// With those at the other loopback addresses of this machine.
    private static List<TcpAcceptor> withOthers(TcpAcceptor first) throws IOException {
        var all = new ArrayList<TcpAcceptor>(List.of(first));
        for (var loopback : AddressFamilies.loopbacks()) {
            if (!loopback.equals(first.address.getAddress())) {
                all.add(bind(new InetSocketAddress(loopback, first.address.getPort())));
            }
        }
        return List.copyOf(all);
    }

    private static TcpAcceptor bind(InetSocketAddress where) throws IOException {
        var channel = NativeChannels.provider().openServerSocketChannel();
        try {
            channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            channel.bind(where, BACKLOG);
            return new TcpAcceptor(channel);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }
}
