package org.ibidem.link;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import org.ibidem.wait.Waitable;
import org.jspecify.annotations.Nullable;

/// A path that carries bytes without borders. It blocks until it is handed to a driver, for which
/// it does not; then it is the driver's byte stream.
public non-sealed interface StreamPath extends Path, ByteStream, ByteChannel {
    @Override
    int read(ByteBuffer into) throws IOException;

    @Override
    int write(ByteBuffer from) throws IOException;

    @Override
    Waitable readable();

    @Override
    Waitable writable();

    @Override
    void close();

    /// Where this end is, as it sees itself; null where it has no address.
    default @Nullable SocketAddress local() {
        return null;
    }

    /// The path itself.
    @Override
    default ByteChannel words() {
        return this;
    }

    /// Whether reads and writes wait until there is something, or room for all.
    void blocking(boolean wait) throws IOException;

    /// Ends our direction; what was written before arrives.
    void end() throws IOException;

    /// Closes it so that the other end does not take it for an end in order, where the network can
    /// say that.
    void reset();

    /// Has small writes leave at once, and sets the sizes of the buffers between this end and the
    /// network, in bytes; 0 leaves one as it is. Does nothing where they are not this path's own.
    default void tune(int send, int receive) throws IOException {}
}
