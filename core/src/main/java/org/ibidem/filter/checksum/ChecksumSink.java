package org.ibidem.filter.checksum;

import static org.ibidem.filter.checksum.ChecksumFilter.HEADER;

import org.ibidem.buffer.Frame;
import org.ibidem.link.FrameSink;
import org.ibidem.link.Sleepy;
import org.ibidem.link.SleepyOver;

/// Writes each frame's sum in front of its payload.
final class ChecksumSink implements FrameSink, SleepyOver {
    private final FrameSink lower;
    private final Sleepy below;
    private final int offset;
    private final Sum sum = new Sum();

    ChecksumSink(FrameSink lower, int offset) {
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
        room.memory.set(Sum.INT, at, sum.of(room, at + HEADER, room.position, flags));
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
