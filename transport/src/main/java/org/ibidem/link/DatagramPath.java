package org.ibidem.link;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.ibidem.wait.Waitable;

/// A path that carries datagrams: each arrives whole or not at all, perhaps twice, in any order.
/// Never blocks.
///
/// The two directions are independent: one thread may write while another reads. Buffers are
/// direct.
public non-sealed interface DatagramPath extends Path {
    /// Bytes that are left free in front of what is written, for the path's own use.
    int header();

    /// The most bytes of one datagram, without the header.
    int largest();

    /// Sends one datagram.
    ///
    /// @param from [#header] bytes for the path, then the datagram; its position is moved to the
    ///   limit when it was taken
    /// @return false: BUSY, there is no room now
    /// @throws IOException when the path is over
    boolean write(ByteBuffer from) throws IOException;

    /// Takes one datagram that has come, without the header.
    ///
    /// @param into with room for [#largest] bytes; its position is moved
    /// @return bytes read, perhaps none; -1: nothing there now
    /// @throws IOException when the path is over, and all that had come was read
    int read(ByteBuffer into) throws IOException;

    /// How to sleep until [#read] has something.
    Waitable readable();

    /// How to sleep until [#write] takes something.
    Waitable writable();
}
