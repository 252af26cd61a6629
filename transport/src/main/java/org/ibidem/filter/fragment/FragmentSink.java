package org.ibidem.filter.fragment;

import org.ibidem.buffer.Frame;
import org.ibidem.link.FrameSink;
import org.ibidem.wait.Waitable;
import org.ibidem.wait.WaitableOver;

/// Grants at most `size` bytes of what the lower sink grants.
final class FragmentSink implements FrameSink, WaitableOver {
    private final FrameSink lower;
    private final Waitable below;
    private final int size;

    FragmentSink(FrameSink lower, int size) {
        this.lower = lower;
        this.below = Waitable.of(lower);
        this.size = size;
    }

    @Override
    public boolean claim(Frame room, int atLeast) {
        if (atLeast > size) {
            throw new IllegalArgumentException(
                    "a claim of " + atLeast + " bytes over fragment(size=" + size + ")");
        }
        boolean granted = lower.claim(room, atLeast);
        cap(room);
        return granted;
    }

    @Override
    public boolean commit(Frame room, int flags) {
        boolean sent = lower.commit(room, flags);
        cap(room);
        return sent;
    }

    private void cap(Frame room) {
        room.limit = Math.min(room.limit, room.position + size);
    }

    @Override
    public boolean push() {
        return lower.push();
    }

    @Override
    public int largest() {
        return Math.min(size, lower.largest());
    }

    @Override
    public Waitable below() {
        return below;
    }
}
