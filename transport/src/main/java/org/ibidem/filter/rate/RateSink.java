package org.ibidem.filter.rate;

import org.ibidem.buffer.Frame;
import org.ibidem.link.FrameSink;
import org.ibidem.wait.Waitable;
import org.ibidem.wait.WaitableOver;

/// Grants no room to whom may send nothing, and no more of it than one turn brings, but for frames
/// that have to be larger. How large one is shows when it is committed, and then it cannot be
/// refused: what it has too much, the link owes.
final class RateSink implements FrameSink, WaitableOver {
    private final FrameSink lower;
    private final Taker taker;
    private final Waitable below;

    RateSink(FrameSink lower, Taker taker) {
        this.lower = lower;
        this.taker = taker;
        this.below = taker.over(Waitable.of(lower));
    }

    @Override
    public boolean claim(Frame room, int atLeast) {
        if (taker.may(Math.max(1, atLeast)) == 0) {
            return false;
        }
        boolean granted = lower.claim(room, atLeast);
        if (granted) {
            cap(room, atLeast);
        } else {
            taker.heldBelow();
        }
        return granted;
    }

    @Override
    public boolean commit(Frame room, int flags) {
        long bytes = room.position - room.start;
        boolean sent = lower.commit(room, flags);
        if (taker.sent(bytes)) {
            cap(room, 0);
        } else {
            room.empty();
        }
        return sent;
    }

    private void cap(Frame room, int atLeast) {
        room.limit = Math.min(room.limit, room.position + Math.max(atLeast, taker.most()));
    }

    @Override
    public boolean push() {
        boolean out = lower.push();
        if (!out) {
            taker.heldBelow();
        }
        return out;
    }

    @Override
    public int largest() {
        return lower.largest();
    }

    @Override
    public Waitable below() {
        return below;
    }
}
