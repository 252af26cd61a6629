package org.ibidem.personality.nio;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/// The buffers of a channel's calls.
final class Buffers {
    private Buffers() {}

    static void requireRoom(ByteBuffer into) {
        if (into.isReadOnly()) {
            throw new IllegalArgumentException("Read-only buffer");
        }
    }

    static void requireRoom(ByteBuffer[] into, int offset, int length) {
        for (int i = offset; i < offset + length; i++) {
            requireRoom(into[i]);
        }
    }

    /// A read of the JDK's that has a time limit, which only its sockets have.
    static int read(SocketChannel from, ByteBuffer into, int millis) throws IOException {
        requireRoom(into);
        var socket = from.socket();
        socket.setSoTimeout(millis);
        var bytes = new byte[into.remaining()];
        int done = socket.getInputStream().read(bytes);
        if (done > 0) {
            into.put(bytes, 0, done);
        }
        return done;
    }
}
