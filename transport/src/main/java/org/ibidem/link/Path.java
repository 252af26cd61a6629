package org.ibidem.link;

import java.net.SocketAddress;
import java.nio.channels.ByteChannel;

/// A way for bytes to one peer, as a connect method makes it and a network driver uses it. It has
/// no layers: what a stack adds stands on top of it.
///
/// There are two kinds, and whoever takes one says which it needs: [StreamPath] (TCP, a stream
/// through a hub) and [DatagramPath] (UDP).
public sealed interface Path extends AutoCloseable permits StreamPath, DatagramPath {
    /// Where the other end is seen, for people and for telling one origin from another: a socket's
    /// address, or a name where somebody between carries the bytes.
    SocketAddress remote();

    /// What both ends say before the path is used, whole and in order, such as the handshake. Reads
    /// and writes block; a path of datagrams repeats what gets lost.
    ByteChannel words();

    /// Whether this end has not closed it.
    boolean isOpen();

    /// Ends it in both directions; may be called any number of times, from any thread.
    @Override
    void close();
}
