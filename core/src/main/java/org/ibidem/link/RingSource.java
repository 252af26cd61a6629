package org.ibidem.link;

import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import org.ibidem.buffer.Frame;
import org.ibidem.buffer.ReadyBit;
import org.ibidem.buffer.RingReader;
import org.ibidem.buffer.Tally;
import org.jspecify.annotations.Nullable;

/// The receiving side of a [RingLink]: the frames come over a ring, and through nothing else.
public final class RingSource implements FrameSource, Sleepy, Resting {
    /// Empty polls between two looks at whether the peer lives: a reader that never sleeps must
    /// find out too.
    static final int LOOK_EVERY = 1 << 14;

    /// One that rests is polled so much more seldom, about.
    private static final int RESTING_STEP = 1 << 9;

    private final RingReader ring;
    private final RingLink link;
    private volatile @Nullable Doorbell bell;
    private Tally tally = Tally.unseen();

    /// The channel was found ready: then rings are to be taken in, which is a system call.
    private boolean selected;

    private int empty;

    /// What an empty poll counts.
    private int step = 1;

    RingSource(RingReader ring, RingLink link) {
        this.ring = ring;
        this.link = link;
    }

    @Override
    public boolean poll(Frame lent) {
        return poll(lent, 0);
    }

    /// What is between two looks in one poll costs a fifth of what is between two polls.
    @Override
    public boolean poll(Frame lent, int more) {
        try {
            for (int left = more; ; left--) {
                boolean found = ring.poll(lent);
                wakeWriter();
                if (found || left <= 0) {
                    return found || pollAgain(lent);
                }
                Thread.onSpinWait();
            }
        } catch (IllegalStateException | InternalError e) {
            throw link.violated(e);
        }
    }

    /// As [#poll], but for a look alone: where that is not enough, poll.
    ///
    /// @throws InternalError when the memory was cut short; [#poll] says so in order
    public boolean next(Frame lent) {
        return ring.next(lent);
    }

    /// Whether something is there for a poll, be it no frame.
    ///
    /// @throws InternalError as [#next]
    public boolean hasMore() {
        return ring.isThere();
    }

    /// Bytes that came so far, with all that is around payload.
    public long position() {
        return ring.position();
    }

    private void wakeWriter() {
        if (ring.mustWakeWriter()) {
            tally.add(Tally.What.DOORBELLS, 1);
            link.wakePeer();
        }
    }

    /// What was written before the peer went is still delivered: so look once more after the link
    /// was seen broken.
    private boolean pollAgain(Frame lent) {
        empty += step;
        if (empty >= LOOK_EVERY) {
            empty = 0;
            link.look(this);
        }
        var broken = link.reason();
        if (broken == null) {
            return false;
        }
        if (ring.poll(lent)) {
            return true;
        }
        throw new LinkBroken(broken);
    }

    @Override
    public void release() {
        try {
            ring.release();
            wakeWriter();
        } catch (IllegalStateException | InternalError e) {
            throw link.violated(e);
        }
    }

    void ringBell() {
        var mine = bell;
        if (mine != null) {
            mine.ring();
        }
    }

    @Override
    public boolean arm() {
        try {
            boolean quiet = ring.sleep();
            wakeWriter();
            return quiet && link.reason() == null;
        } catch (IllegalStateException | InternalError e) {
            link.violated(e); // the next poll says it
            return false;
        }
    }

    @Override
    public @Nullable ReadyBit bit() {
        return link.announced();
    }

    @Override
    public boolean rest() {
        try {
            boolean quiet = ring.rest();
            wakeWriter();
            if (quiet && link.reason() == null) {
                step = RESTING_STEP;
                return true;
            }
            ring.rouse();
            return false;
        } catch (IllegalStateException | InternalError e) {
            link.violated(e); // the next poll says it
            return false;
        }
    }

    @Override
    public void rouse() {
        try {
            step = 1;
            ring.rouse();
        } catch (IllegalStateException | InternalError e) {
            link.violated(e); // the next poll says it
        }
    }

    @Override
    public boolean settles() {
        return true;
    }

    @Override
    public boolean stillQuiet() {
        try {
            return ring.sleepsOn() && link.reason() == null;
        } catch (IllegalStateException | InternalError e) {
            link.violated(e); // the next poll says it
            return false;
        }
    }

    @Override
    public boolean settlesAnew() {
        return ring.hasTurned();
    }

    @Override
    public void seldomSleeps() {
        ring.seldomSleeps();
    }

    @Override
    public void disarm() {
        try {
            if (ring.awake() || selected || link.hasHeard()) {
                selected = false;
                link.look(this);
            }
        } catch (IllegalStateException | InternalError e) {
            link.violated(e);
        }
    }

    @Override
    public void ready() {
        selected = true;
    }

    @Override
    public void tally(Tally counts) {
        tally = counts;
    }

    @Override
    public @Nullable SelectableChannel channel() {
        return link.channel();
    }

    @Override
    public boolean looksMore() {
        return true;
    }

    @Override
    public int interest() {
        return SelectionKey.OP_READ;
    }

    @Override
    public void bell(Doorbell waiter) {
        bell = waiter;
    }
}
