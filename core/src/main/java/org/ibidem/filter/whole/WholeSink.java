package org.ibidem.filter.whole;

import static org.ibidem.filter.whole.WholeFilter.HEADER;

import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.ibidem.buffer.Frame;
import org.ibidem.link.FrameSink;
import org.ibidem.link.Sleepy;
import org.ibidem.link.SleepyOver;

/// Numbers messages and their frames.
final class WholeSink implements FrameSink, SleepyOver {
    static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final FrameSink lower;
    private final Sleepy below;
    private final int offset;
    private int message;
    private int frame;

    WholeSink(FrameSink lower, int offset) {
        this.lower = lower;
        this.below = Sleepy.of(lower);
        this.offset = offset;
    }

    @Override
    public boolean claim(Frame room, int atLeast) {
        if (!lower.claim(room, atLeast + HEADER)) {
            return false;
        }
        room.position += HEADER;
        return true;
    }

    @Override
    public boolean commit(Frame room, int flags) {
        long at = room.start + offset;
        room.memory.set(INT, at, message);
        room.memory.set(INT, at + 4, frame);
        if ((flags & Frame.MORE) != 0) {
            frame++;
        } else {
            frame = 0;
            message++;
        }
        boolean sent = lower.commit(room, flags);
        if (room.room() > HEADER) {
            room.position += HEADER;
        } else {
            room.empty();
        }
        return sent;
    }

    @Override
    public boolean push() {
        return lower.push();
    }

    @Override
    public int largest() {
        return lower.largest() - HEADER;
    }

    @Override
    public Sleepy below() {
        return below;
    }
}
