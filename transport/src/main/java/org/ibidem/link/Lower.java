package org.ibidem.link;

import java.io.IOException;
import java.util.function.Consumer;
import org.ibidem.task.Tasks;

/// What lies below a driver while it makes a link: the means to meet the same peer, who has proved
/// its key.
public interface Lower {
    /// Bytes of [#said].
    int SAID = 32;

    /// True at the end that asked for the link, false at the other.
    boolean active();

    /// Unguessable and unique to this link, the same at both ends: 32 hexadecimal digits.
    String key();

    /// A fresh connection to the peer, proved, that does not block, and the driver's from now on.
    /// Blocks until the other end calls it too, for a bounded time.
    StreamPath stream() throws IOException;

    /// The same, but a stream of one connection that all links with this peer share who ask for it.
    /// Where nothing can be shared, one of its own.
    default StreamPath shared() throws IOException {
        return stream();
    }

    /// The same for datagrams. Several calls at one end meet those at the other in any order.
    ///
    /// @throws IOException where no datagrams get to the peer; the message says why
    DatagramPath datagrams() throws IOException;

    /// The means to meet again as long as the link lives, for who adds connections to it later.
    /// Asked for once, after [#stream].
    ///
    /// @param arrived at the end that did not ask for the link: given each connection that the
    ///   other makes from now on, proved, not blocking, and its own to close; must not block
    /// @throws IOException where the ends meet only once
    default Again again(Consumer<StreamPath> arrived) throws IOException {
        throw new IOException("the ends of this link meet only once");
    }

    /// Meeting again, until it is closed.
    interface Again extends AutoCloseable {
        /// A fresh connection, as [Lower#stream]; only for the end that asked for the link. May
        /// block, for a bounded time.
        StreamPath stream() throws IOException;

        /// From now on no connection is welcome.
        @Override
        void close();
    }

    /// For drivers and filters that need time or a thread.
    Tasks tasks();

    /// What both ends agreed on.
    Terms terms();

    /// What is known of the line to the peer, and where to say what was learned of it.
    default Line line() {
        return Line.UNKNOWN;
    }

    /// What the two ends have signed when the link's first connection was made, for filters that
    /// bind what they do to it: SHA-256 of the whole handshake, 32 bytes, the same at both ends.
    /// Zeros where there was none. To be asked for once there is a connection.
    default byte[] said() {
        return new byte[SAID];
    }

    /// With what both ends prove who they are.
    ///
    /// @throws IOException where nobody can
    default Credentials credentials() throws IOException {
        throw new IOException("no end of this link has a key to prove its identity");
    }
}
