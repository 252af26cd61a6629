package org.ibidem.filter.checksum;

import static org.ibidem.filter.checksum.ChecksumFilter.HEADER;

import org.ibidem.buffer.Frame;
import org.ibidem.link.FrameSink;
import org.ibidem.link.HeaderSink;

/// Writes each frame's sum in front of its payload.
final class ChecksumSink extends HeaderSink {
    private final Sum sum = new Sum();

    ChecksumSink(FrameSink lower, int offset) {
        super(lower, offset, HEADER);
    }

    @Override
    protected void header(Frame frame, long at, int flags) {
        frame.memory.set(Sum.INT, at, sum.of(frame, at + HEADER, frame.position, flags));
    }
}
