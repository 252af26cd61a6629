package org.ibidem.connect;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.ibidem.link.StreamPath;
import org.ibidem.wait.Armed;
import org.ibidem.wait.Doorbell;
import org.ibidem.wait.SleepTraits;
import org.ibidem.wait.Waitable;
import org.jspecify.annotations.Nullable;

/// A connected socket of TCP as a path.
public final class SocketPath implements StreamPath {
    private static final System.Logger LOG = System.getLogger(SocketPath.class.getName());
    private static final InetSocketAddress UNKNOWN =
            InetSocketAddress.createUnresolved("(an unknown address)", 0);

    /// Most bytes a call of the kernel takes: with more, a reader on another core waits for the
    /// socket while it is filled (measured: docs/design/seam.md).
    private static final int MOST_WRITTEN = 320 << 10;

    private static final int WASTE = 16 << 10;
    private static final int MOST_WASTE = 256;

    private final SocketChannel socket;
    private final SocketAddress remote;
    private volatile boolean waits;

    /// The socket belongs to the path from now on.
    ///
    /// @param socket connected
    public SocketPath(SocketChannel socket) {
        this.socket = socket;
        this.remote = remote(socket);
        this.waits = socket.isBlocking();
    }

    private static SocketAddress remote(SocketChannel socket) {
        try {
            var address = socket.getRemoteAddress();
            return address == null ? UNKNOWN : address;
        } catch (IOException _) {
            return UNKNOWN; // it was closed already, which its first read will say
        }
    }

    /// The socket under it.
    public SocketChannel socket() {
        return socket;
    }

    @Override
    public @Nullable SocketAddress local() {
        try {
            return socket.getLocalAddress();
        } catch (IOException _) {
            return null; // it was closed already
        }
    }

    @Override
    public SocketAddress remote() {
        return remote;
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        return socket.read(into);
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        int end = from.limit();
        if (end - from.position() <= MOST_WRITTEN) {
            return socket.write(from);
        }
        try {
            return socket.write(from.limit(from.position() + MOST_WRITTEN));
        } finally {
            from.limit(end);
        }
    }

    @Override
    public Waitable readable() {
        return new Ready(socket, SelectionKey.OP_READ);
    }

    @Override
    public Waitable writable() {
        return new Ready(socket, SelectionKey.OP_WRITE);
    }

    @Override
    public void blocking(boolean wait) throws IOException {
        waits = wait;
        socket.configureBlocking(wait);
    }

    @Override
    public void tune(int send, int receive) throws IOException {
        socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
        if (send > 0) {
            socket.setOption(StandardSocketOptions.SO_SNDBUF, send);
        }
        if (receive > 0) {
            socket.setOption(StandardSocketOptions.SO_RCVBUF, receive);
        }
    }

    @Override
    public void end() throws IOException {
        socket.shutdownOutput();
    }

    @Override
    public void reset() {
        try {
            socket.setOption(StandardSocketOptions.SO_LINGER, 0);
        } catch (IOException | UnsupportedOperationException e) {
            LOG.log(System.Logger.Level.DEBUG, "a connection ends in order: {0}", e.getMessage());
        }
        shut();
    }

    @Override
    public boolean isOpen() {
        return socket.isOpen();
    }

    @Override
    public void close() {
        quiet();
        shut();
    }

    /// What was read by nobody would make the kernel reset the connection at close, and drop what
    /// it has not sent yet. Not where somebody may wait in a read ([BriefWait] only borrows the
    /// socket's mode): to close would wait for him.
    private void quiet() {
        try {
            if (!waits && socket.isOpen() && !socket.isBlocking()) {
                socket.shutdownOutput();
                var waste = ByteBuffer.allocate(WASTE);
                for (int i = 0; i < MOST_WASTE && socket.read(waste.clear()) > 0; i++) {
                    // only to get it out of the way
                }
            }
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "closing in order failed: {0}", e.getMessage());
        }
    }

    private void shut() {
        try {
            socket.close();
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "closing a socket failed", e);
        }
    }

    /// The kernel remembers readiness, so there is nothing to arm.
    private record Ready(SelectableChannel channel, int interest) implements Waitable {
        private static final SleepTraits TRAITS = new SleepTraits(true, false, true);

        @Override
        public Armed arm() {
            return Armed.SLEEP;
        }

        @Override
        public void disarm() {}

        @Override
        public SleepTraits traits() {
            return TRAITS;
        }

        @Override
        public void bell(Doorbell bell) {}
    }
}
