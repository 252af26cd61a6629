package org.ibidem.filter.multicast;

import java.util.function.ObjIntConsumer;
import org.ibidem.buffer.Frame;
import org.ibidem.link.FrameSink;
import org.ibidem.link.LinkBroken;
import org.ibidem.ring.Broadcast;
import org.ibidem.ring.Joinable;
import org.jspecify.annotations.Nullable;

/// Several lowers that are joined: what is written once is read by all of them. A lower that is set
/// to null meanwhile is left out.
final class Joint {
    private final Broadcast broadcast;
    private final Gathering gathering;
    private final @Nullable FrameSink[] lowers;
    private final ObjIntConsumer<LinkBroken> lost;

    /// Some lowers have said that they are waited for.
    private boolean waiting;

    Joint(
            Broadcast broadcast,
            Gathering gathering,
            @Nullable FrameSink[] lowers,
            ObjIntConsumer<LinkBroken> lost) {
        this.broadcast = broadcast;
        this.gathering = gathering;
        this.lowers = lowers;
        this.lost = lost;
    }

    /// There is no memory for frames as large as was asked for; in the receivers' own rings there
    /// may be.
    static final class TooSmall extends Exception {
        private static final long serialVersionUID = 1L;

        TooSmall(LinkBroken e) {
            super(e.getMessage(), e);
        }
    }

    /// As [FrameSink#claim]. The lowers whose readers are behind know afterwards that they are
    /// waited for.
    boolean claim(Frame room, int atLeast) throws TooSmall {
        while (!granted(room, atLeast)) {
            waiting = true;
            if (!allFollow()) {
                return false;
            }
        }
        if (waiting) {
            waiting = false;
            broadcast.unwanted();
            allFollow();
        }
        return true;
    }

    private boolean granted(Frame room, int atLeast) throws TooSmall {
        try {
            return broadcast.claim(room, atLeast);
        } catch (LinkBroken e) {
            throw new TooSmall(e);
        } catch (IllegalStateException | InternalError e) {
            throw violated(e);
        }
    }

    /// Without this, one that follows since it was asked last would still be waited for.
    private boolean allFollow() {
        boolean all = true;
        for (int i = 0; i < lowers.length; i++) {
            if (lowers[i] instanceof Joinable lower) {
                all &= follows(lower, i);
            }
        }
        return all;
    }

    private boolean follows(Joinable lower, int i) {
        try {
            return lower.follows();
        } catch (LinkBroken e) {
            lost.accept(e, i);
            return true;
        }
    }

    /// As [FrameSink#commit]; nothing is ever kept back.
    void commit(Frame room, int flags) {
        try {
            broadcast.commit(room, flags);
        } catch (IllegalStateException | InternalError e) {
            throw violated(e);
        }
        if ((flags & (Frame.MORE | Frame.HOLD)) == 0) {
            wake();
        }
    }

    /// Wakes the readers that sleep.
    void wake() {
        for (int i = 0; i < lowers.length; i++) {
            if (lowers[i] != null) {
                try {
                    gathering.participant(i).wake();
                } catch (LinkBroken e) {
                    lost.accept(e, i);
                }
            }
        }
    }

    /// Sends the readers back to their own rings.
    void part() {
        try {
            broadcast.part();
        } catch (InternalError e) {
            violated(e);
            return;
        }
        wake();
    }

    /// The memory that all of them read is not what it was: none of the links can go on.
    private LinkBroken violated(Throwable e) {
        for (int i = 0; i < lowers.length; i++) {
            if (lowers[i] != null) {
                lost.accept(gathering.participant(i).violated(e), i);
            }
        }
        return new LinkBroken("all " + lowers.length + " receivers are lost", e);
    }
}
