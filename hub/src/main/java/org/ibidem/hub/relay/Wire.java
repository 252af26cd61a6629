package org.ibidem.hub.relay;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.ibidem.connect.SocketPath;
import org.ibidem.handshake.SealedPath;
import org.ibidem.link.Path;

/// A node's connection, as a spoke writes to it and its loop reads: as it is, or under TLS. Never
/// waits.
interface Wire {
    /// What to wait for until there is something to be read, or room.
    SocketChannel channel();

    /// Reads what has come.
    ///
    /// @param into has room for [#SCRATCH] bytes at least; moved by what was read, its limit too
    /// @param most how much is to be read at once, about
    /// @param scratch the reader's, for a moment: [#SCRATCH] bytes, big-endian
    /// @return bytes, which may be none; -1: the node has ended the connection
    int read(ByteBuffer into, int most, ByteBuffer scratch) throws IOException;

    /// Writes what the system takes, first of what is owed.
    void write(ByteBuffer from) throws IOException;

    /// Whether something was taken that is not wholly written: to be written by [#write], with
    /// nothing if need be.
    boolean owes();

    /// Memory for reading.
    int SCRATCH = 128 << 10;

    /// That of a proved connection.
    static Wire of(Path path) {
        return path instanceof SealedPath sealed
                ? new SealedWire(((SocketPath) sealed.below()).socket(), sealed)
                : new Plain(((SocketPath) path).socket());
    }

    /// As it is.
    record Plain(SocketChannel channel) implements Wire {
        @Override
        public int read(ByteBuffer into, int most, ByteBuffer scratch) throws IOException {
            return channel.read(into.limit(into.position() + most));
        }

        @Override
        public void write(ByteBuffer from) throws IOException {
            channel.write(from);
        }

        @Override
        public boolean owes() {
            return false;
        }
    }
}
