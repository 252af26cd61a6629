package org.ibidem.handshake;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;

/// Two connected channels: of memory, with a byte changed on the way if wanted, or of sockets.
public final class Wire {
    private Wire() {}

    public record Sockets(SocketChannel client, SocketChannel server) {}

    public static Sockets sockets() throws IOException {
        try (var listening = ServerSocketChannel.open()) {
            listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            var client = SocketChannel.open(listening.getLocalAddress());
            return new Sockets(client, listening.accept());
        }
    }

    record Ends(ByteChannel client, ByteChannel server) {}

    /// Bytes that travel both ways.
    ///
    /// @param toServer offset of the byte to change on the way to the server; -1: none
    /// @param toClient offset of the byte to change on the way to the client; -1: none
    /// @param change xor-ed to it
    static Ends memory(int toServer, int toClient, int change) {
        var up = new Direction(toServer, change);
        var down = new Direction(toClient, change);
        return new Ends(new End(down, up), new End(up, down));
    }

    private static final class Direction {
        private final Deque<Byte> bytes = new ArrayDeque<>();
        private final int changed;
        private final int change;
        private int sent;
        private boolean closed;

        Direction(int changed, int change) {
            this.changed = changed;
            this.change = change;
        }

        synchronized void write(ByteBuffer from) throws IOException {
            if (closed) {
                throw new IOException("broken pipe");
            }
            while (from.hasRemaining()) {
                byte b = from.get();
                bytes.add(sent++ == changed ? (byte) (b ^ change) : b);
            }
            notifyAll();
        }

        synchronized int read(ByteBuffer into) throws IOException {
            try {
                while (bytes.isEmpty() && !closed) {
                    wait();
                }
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            if (bytes.isEmpty()) {
                return -1;
            }
            int before = into.position();
            while (into.hasRemaining() && !bytes.isEmpty()) {
                into.put(bytes.remove());
            }
            return into.position() - before;
        }

        synchronized void close() {
            closed = true;
            notifyAll();
        }
    }

    private static final class End implements ByteChannel {
        private final Direction in;
        private final Direction out;
        private volatile boolean closed;

        End(Direction in, Direction out) {
            this.in = in;
            this.out = out;
        }

        @Override
        public int read(ByteBuffer into) throws IOException {
            int read = in.read(into);
            if (closed) {
                throw new ClosedChannelException();
            }
            return read;
        }

        @Override
        public int write(ByteBuffer from) throws IOException {
            int bytes = from.remaining();
            out.write(from);
            return bytes;
        }

        @Override
        public boolean isOpen() {
            return !closed;
        }

        @Override
        public void close() {
            closed = true;
            in.close();
            out.close();
        }
    }
}
