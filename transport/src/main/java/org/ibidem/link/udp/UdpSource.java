package org.ibidem.link.udp;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.ibidem.buffer.Frame;
import org.ibidem.link.DatagramPath;
import org.ibidem.link.FrameSource;
import org.ibidem.link.LinkBroken;
import org.ibidem.wait.Waitable;
import org.ibidem.wait.WaitableOver;

/// Lends the datagrams that have come, one after the other.
final class UdpSource implements FrameSource, WaitableOver {
    private final DatagramPath path;
    private final Waitable readable;
    private final ByteBuffer bytes;
    private final MemorySegment memory;

    UdpSource(DatagramPath path) {
        this.path = path;
        this.readable = path.readable();
        // the other end decides how long its datagrams are
        this.bytes = ByteBuffer.allocateDirect(path.largest());
        this.memory = MemorySegment.ofBuffer(bytes);
    }

    @Override
    public boolean poll(Frame lent) {
        try {
            while (path.read(bytes.clear()) >= 0) {
                if (bytes.position() >= UdpLink.HEADER) { // else nothing of ours
                    lent.show(memory, UdpLink.HEADER, bytes.position());
                    lent.flags = bytes.get(0) & Frame.WIRE_FLAGS;
                    return true;
                }
            }
            return false;
        } catch (IOException e) {
            throw new LinkBroken("the path of datagrams is over: " + e.getMessage(), e);
        }
    }

    @Override
    public void release() {
        // the next datagram finds the room
    }

    @Override
    public Waitable below() {
        return readable;
    }
}
