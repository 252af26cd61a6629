package org.ibidem.ring;

import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import org.ibidem.buffer.Frame;
import org.ibidem.buffer.ReadyBit;
import org.ibidem.buffer.RingReader;
import org.ibidem.buffer.Tally;
import org.ibidem.link.FrameSource;
import org.ibidem.link.LinkBroken;
import org.ibidem.wait.Armed;
import org.ibidem.wait.Doorbell;
import org.ibidem.wait.Resting;
import org.ibidem.wait.SleepTraits;
import org.ibidem.wait.Waitable;
import org.jspecify.annotations.Nullable;

/// The receiving side of a [RingLink]: the frames come over a ring, and through nothing else.
public final class RingSource implements FrameSource, Waitable, Resting {
    /// Empty polls between two looks at whether the peer lives: a reader that never sleeps must
    /// find out too.
    static final int LOOK_EVERY = 1 << 14;

    /// One that rests is polled so much more seldom, about.
    private static final int RESTING_STEP = 1 << 9;

    /// Sleeps, with some microseconds of system calls each, by which what a processor has stored is
    /// seen by all; so it is after one moment that was waited for.
    private static final int SLEEPS_TO_SETTLE = 1 << 8;

    private static final SleepTraits TRAITS = new SleepTraits(false, true, true);

    private final RingReader ring;
    private final RingLink link;
    private final ReadBackoff backoff = new ReadBackoff();
    private volatile @Nullable Doorbell bell;
    private Tally tally = Tally.unseen();

    /// The channel was found ready: then rings are to be taken in, which is a system call.
    private boolean selected;

    /// Somebody sleeps on it, or is about to: set before his last look.
    private volatile boolean armed;

    /// Sleeps from now on of which the writer may not know.
    private int unsettled;

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

    @Override
    public boolean glance(Frame lent) {
        backoff.take(lent);
        try {
            boolean found = ring.next(lent);
            if (found || ring.isThere()) {
                backoff.found();
            } else {
                backoff.missed(ring.position());
            }
            return found;
        } catch (InternalError e) { // of memory that was cut short: the poll that follows says so
            return false;
        }
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
            if (link.look(this)) {
                ringBell(); // who polls may not be who sleeps, to whom it was rung
            }
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

    /// How far it has read.
    long moved() {
        return ring.position();
    }

    void ringBell() {
        var mine = bell;
        if (mine != null) {
            mine.ring();
        }
    }

    /// What was rung for whoever sleeps here was taken in by another.
    void ringSleeper() {
        if (armed) {
            ringBell();
        }
    }

    @Override
    public Armed arm() {
        try {
            boolean again = armed;
            armed = true;
            boolean settles = settles(again);
            boolean quiet = again ? ring.sleepsOn() : ring.sleep();
            wakeWriter();
            return !quiet || link.reason() != null
                    ? Armed.READY
                    : settles ? Armed.SLEEP_THEN_LOOK : Armed.SLEEP;
        } catch (IllegalStateException | InternalError e) {
            link.violated(e); // the next poll says it
            return Armed.READY;
        }
    }

    /// Whether the writer may not know yet that this reader sleeps now and then. A timer costs more
    /// than the sleep itself where the system has to ask what it runs on for one, so this is rare.
    private boolean settles(boolean again) {
        boolean anew = ring.hasTurned();
        if (again) {
            unsettled = 0;
        } else if (anew || !ring.isKnownToSleep()) {
            unsettled = SLEEPS_TO_SETTLE;
        } else if (unsettled > 0) {
            unsettled--;
        }
        return unsettled > 0;
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
    public void disarm() {
        armed = false;
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
    public SleepTraits traits() {
        return TRAITS;
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
