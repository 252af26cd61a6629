package org.ibidem.filter.whole;

import static org.ibidem.filter.whole.WholeFilter.HEADER;

import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.ibidem.buffer.Frame;
import org.ibidem.link.FrameSink;
import org.ibidem.link.HeaderSink;

/// Numbers messages and their frames.
final class WholeSink extends HeaderSink {
    static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private int message;
    private int frame;

    WholeSink(FrameSink lower, int offset) {
        super(lower, offset, HEADER);
    }

    @Override
    protected void header(Frame room, long at, int flags) {
        room.memory.set(INT, at, message);
        room.memory.set(INT, at + 4, frame);
        if ((flags & Frame.MORE) != 0) {
            frame++;
        } else {
            frame = 0;
            message++;
        }
    }
}
