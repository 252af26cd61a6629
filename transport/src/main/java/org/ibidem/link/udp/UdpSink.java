package org.ibidem.link.udp;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import org.ibidem.buffer.Frame;
import org.ibidem.link.DatagramPath;
import org.ibidem.link.FrameSink;
import org.ibidem.link.LinkBroken;
import org.ibidem.wait.Waitable;
import org.ibidem.wait.WaitableOver;

/// Fills one datagram at a time in place and sends it at once.
final class UdpSink implements FrameSink, WaitableOver {
    private final DatagramPath path;
    private final Waitable writable;
    private final int header;
    private final ByteBuffer bytes;
    private final MemorySegment memory;

    /// The datagram is committed, and the network had no room for it yet.
    private boolean waits;

    /// @param most bytes of a datagram, with all headers
    UdpSink(DatagramPath path, int most) {
        this.path = path;
        this.writable = path.writable();
        this.header = path.header() + UdpLink.HEADER;
        this.bytes = ByteBuffer.allocateDirect(most);
        this.memory = MemorySegment.ofBuffer(bytes);
    }

    @Override
    public boolean claim(Frame room, int atLeast) {
        if (atLeast > largest()) {
            throw new IllegalArgumentException(
                    "a claim of %d bytes; frames of this link have at most %d"
                            .formatted(atLeast, largest()));
        }
        if (!push()) {
            return false;
        }
        room.show(memory, header, memory.byteSize());
        return true;
    }

    @Override
    public boolean commit(Frame room, int flags) {
        if (waits || room.position < header || room.position > memory.byteSize()) {
            throw new IllegalStateException("commit without a claim");
        }
        memory.set(ValueLayout.JAVA_BYTE, path.header(), (byte) (flags & Frame.WIRE_FLAGS));
        bytes.limit((int) room.position).position(0);
        waits = true;
        if (push()) {
            room.show(memory, header, memory.byteSize());
            return true;
        }
        room.empty();
        return false;
    }

    @Override
    public boolean push() {
        try {
            if (waits && path.write(bytes)) {
                waits = false;
                bytes.clear();
            }
            return !waits;
        } catch (IOException e) {
            throw new LinkBroken("the path of datagrams is over: " + e.getMessage(), e);
        }
    }

    @Override
    public int largest() {
        return (int) memory.byteSize() - header;
    }

    @Override
    public Waitable below() {
        return writable;
    }
}
