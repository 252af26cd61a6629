package org.ibidem.port;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/// A way to a port of this machine that can be cut, as if who listens there were killed.
final class Relayed implements AutoCloseable {
    private final int port;
    private final ServerSocket server;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final List<AtomicLong> carried = new CopyOnWriteArrayList<>();

    Relayed(int port) throws IOException {
        this.port = port;
        this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.startVirtualThread(this::accept);
    }

    InetSocketAddress address() {
        return new InetSocketAddress(server.getInetAddress(), server.getLocalPort());
    }

    /// Connections that came so far.
    int connections() {
        return sockets.size() / 2;
    }

    /// Bytes that one of them has carried to who listens there, in the order of their coming.
    long carried(int connection) {
        return carried.get(connection).get();
    }

    private void accept() {
        try {
            while (true) {
                var near = server.accept();
                var far = new Socket(InetAddress.getLoopbackAddress(), port);
                near.setTcpNoDelay(true);
                far.setTcpNoDelay(true);
                var there = new AtomicLong();
                carried.add(there);
                sockets.addAll(List.of(near, far));
                Thread.startVirtualThread(() -> copy(near, far, there));
                Thread.startVirtualThread(() -> copy(far, near, new AtomicLong()));
            }
        } catch (IOException _) {
            // closed
        }
    }

    private static void copy(Socket from, Socket to, AtomicLong carried) {
        var bytes = new byte[8192];
        try {
            var in = from.getInputStream();
            for (int got = in.read(bytes); got >= 0; got = in.read(bytes)) {
                carried.addAndGet(got); // before anybody can have them
                to.getOutputStream().write(bytes, 0, got);
            }
            to.shutdownOutput();
        } catch (IOException _) {
            // cut
        }
    }

    /// Ends all connections, and takes no more.
    void cut() throws IOException {
        server.close();
        for (var socket : sockets) {
            socket.close();
        }
    }

    @Override
    public void close() throws IOException {
        cut();
    }
}
