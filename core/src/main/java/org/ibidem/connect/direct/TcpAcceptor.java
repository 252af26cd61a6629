package org.ibidem.connect.direct;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.ibidem.config.NativeChannels;
import org.ibidem.connect.Heartbeat;
import org.ibidem.connect.SocketPath;

/// A listening TCP socket.
public final class TcpAcceptor implements AutoCloseable {
    private static final int BACKLOG = 1024;
    private static final int TRIES = 32;
    private static final byte[] LOOPBACK4 = {127, 0, 0, 1};
    private static final byte[] LOOPBACK6 = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};

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
    /// @throws IOException when the port is taken or may not be used
    public static List<TcpAcceptor> bind(int port, boolean open) throws IOException {
        if (open) {
            return List.of(bind(new InetSocketAddress(port)));
        }
        for (int tries = 1; ; tries++) {
            var first = bind(new InetSocketAddress(InetAddress.getByAddress(LOOPBACK4), port));
            try {
                return withIpv6(first);
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

    private static List<TcpAcceptor> withIpv6(TcpAcceptor first) throws IOException {
        var both = new ArrayList<TcpAcceptor>(List.of(first));
        try {
            both.add(
                    bind(
                            new InetSocketAddress(
                                    InetAddress.getByAddress(LOOPBACK6), first.address.getPort())));
        } catch (BindException e) {
            if (hasIpv6Loopback()) {
                throw e;
            }
        } catch (IOException | UnsupportedOperationException _) {
            // no IPv6 on this machine
        }
        return List.copyOf(both);
    }

    private static boolean hasIpv6Loopback() throws IOException {
        try (var probe = NativeChannels.provider().openServerSocketChannel()) {
            probe.bind(new InetSocketAddress(InetAddress.getByAddress(LOOPBACK6), 0));
            return true;
        } catch (IOException | UnsupportedOperationException _) {
            return false;
        }
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
