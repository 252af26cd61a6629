package org.ibidem.link.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.ibidem.link.ByteStream;
import org.ibidem.link.Doorbell;
import org.ibidem.link.Sleepy;
import org.ibidem.link.SleepyChannel;

/// A TCP connection, or what stands for one, as a byte stream.
final class TcpStream implements ByteStream {
    private static final int WASTE = 16 << 10;
    private static final int MOST_WASTE = 256;

    private final SocketChannel socket;

    TcpStream(SocketChannel socket) {
        this.socket = socket;
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        return socket.write(from);
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        return socket.read(into);
    }

    @Override
    public Sleepy readable() {
        return socket instanceof SleepyChannel itself
                ? itself.readable()
                : new Ready(socket, SelectionKey.OP_READ);
    }

    @Override
    public Sleepy writable() {
        return socket instanceof SleepyChannel itself
                ? itself.writable()
                : new Ready(socket, SelectionKey.OP_WRITE);
    }

    /// What was read by nobody would make the kernel reset the connection at close, and drop what
    /// it has not sent yet.
    private void quiet() {
        try {
            if (socket.isOpen() && !socket.isBlocking()) {
                socket.shutdownOutput();
                var waste = ByteBuffer.allocate(WASTE);
                for (int i = 0; i < MOST_WASTE && socket.read(waste.clear()) > 0; i++) {
                    // only to get it out of the way
                }
            }
        } catch (IOException e) {
            System.getLogger(TcpStream.class.getName())
                    .log(System.Logger.Level.DEBUG, "closing in order failed: {0}", e.getMessage());
        }
    }

    @Override
    public void close() {
        try {
            quiet();
            socket.close();
        } catch (IOException e) {
            System.getLogger(TcpStream.class.getName())
                    .log(System.Logger.Level.DEBUG, "closing a socket failed", e);
        }
    }

    /// The kernel remembers readiness, so there is nothing to arm.
    private record Ready(SelectableChannel channel, int interest) implements Sleepy {
        @Override
        public boolean arm() {
            return true;
        }

        @Override
        public void disarm() {}

        @Override
        public boolean announces() {
            return true;
        }

        @Override
        public void bell(Doorbell bell) {}
    }
}
