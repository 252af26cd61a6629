package org.ibidem.lab.bench.peers;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.ibidem.lab.bench.Payload;

/// Puts messages together out of what arrives: straight from Netty's buffer where the message is
/// whole in it, else by way of a buffer of its own.
final class NettyInbox {
    private static final int CAPACITY = 1 << 17;

    private ByteBuffer parts = Image.buffer(CAPACITY);

    /// Reads one message if it is there, or takes what is there of it.
    ///
    /// @return whether `payload` now holds a whole message
    boolean read(ByteBuf from, Payload payload) throws IOException {
        int head = Image.head(payload);
        if (parts.position() == 0 && whole(from, payload, head)) {
            return true;
        }
        if (!take(from, head) || !take(from, head + Image.body(payload, parts, 0))) {
            return false;
        }
        Image.get(payload, parts.flip());
        parts.clear();
        return true;
    }

    private static boolean whole(ByteBuf from, Payload payload, int head) throws IOException {
        if (from.readableBytes() < head || from.nioBufferCount() != 1) {
            return false;
        }
        var seen =
                from.internalNioBuffer(from.readerIndex(), from.readableBytes()).order(Image.ORDER);
        int size = head + Image.body(payload, seen, seen.position());
        if (seen.remaining() < size) {
            return false;
        }
        Image.get(payload, seen);
        from.skipBytes(size);
        return true;
    }

    /// Takes bytes until there are `upTo`; says whether there are.
    private boolean take(ByteBuf from, int upTo) {
        if (upTo > parts.capacity()) {
            parts = Image.buffer(upTo).put(parts.flip());
        }
        int part = Math.min(from.readableBytes(), upTo - parts.position());
        if (part > 0) {
            from.readBytes(parts.limit(parts.position() + part));
        }
        return parts.position() >= upTo;
    }
}
