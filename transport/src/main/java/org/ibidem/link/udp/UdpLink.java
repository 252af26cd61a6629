package org.ibidem.link.udp;

import org.ibidem.link.DatagramPath;
import org.ibidem.link.DeliveryFaults;
import org.ibidem.link.FrameLink;
import org.ibidem.link.FrameSink;
import org.ibidem.link.FrameSource;

/// Frames as datagrams: one each, with its flags in front. Format: `docs/wire/udp.md`.
final class UdpLink implements FrameLink {
    /// Bytes in front of a frame behind the path's header: flags u8, three of 0.
    static final int HEADER = 4;

    private final DatagramPath path;
    private final UdpSink sink;
    private final UdpSource source;

    UdpLink(DatagramPath path, Udp options) {
        this.path = path;
        int most = Math.min(options.datagram(), path.header() + path.largest());
        this.sink = new UdpSink(path, most);
        this.source = new UdpSource(path);
    }

    @Override
    public FrameSink sink() {
        return sink;
    }

    @Override
    public FrameSource source() {
        return source;
    }

    @Override
    public DeliveryFaults delivery() {
        return DeliveryFaults.LOSSY;
    }

    @Override
    public void close() {
        path.close();
    }
}
