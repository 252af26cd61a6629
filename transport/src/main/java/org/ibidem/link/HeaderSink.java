package org.ibidem.link;

import org.ibidem.buffer.Frame;
import org.ibidem.wait.Waitable;
import org.ibidem.wait.WaitableOver;

/// The sink of a filter that only writes a header of constant size in front of each frame.
public abstract class HeaderSink implements FrameSink, WaitableOver {
    private final FrameSink lower;
    private final Waitable below;
    private final int offset;
    private final int bytes;

    /// @param lower takes the frames
    /// @param offset of the header within a frame
    /// @param bytes of the header
    protected HeaderSink(FrameSink lower, int offset, int bytes) {
        this.lower = lower;
        this.below = Waitable.of(lower);
        this.offset = offset;
        this.bytes = bytes;
    }

    /// Writes the header of a frame that is complete; its payload begins after the header.
    ///
    /// @param at where in the frame's memory the header is
    protected abstract void header(Frame frame, long at, int flags);

    @Override
    public final boolean claim(Frame room, int atLeast) {
        if (!lower.claim(room, atLeast + bytes)) {
            return false;
        }
        room.position += bytes;
        return true;
    }

    @Override
    public final boolean commit(Frame room, int flags) {
        header(room, room.start + offset, flags);
        boolean sent = lower.commit(room, flags);
        if (room.room() > bytes) {
            room.position += bytes;
        } else {
            room.empty();
        }
        return sent;
    }

    @Override
    public final boolean push() {
        return lower.push();
    }

    @Override
    public final int largest() {
        return lower.largest() - bytes;
    }

    @Override
    public final Waitable below() {
        return below;
    }
}
