package org.ibidem.filter.whole;

import static org.ibidem.filter.whole.WholeFilter.HEADER;

import java.time.Duration;
import org.ibidem.buffer.Frame;
import org.ibidem.link.FrameLink;
import org.ibidem.link.FrameSource;
import org.ibidem.link.LinkBroken;
import org.ibidem.task.Tasks;
import org.ibidem.wait.Armed;
import org.ibidem.wait.Doorbell;
import org.ibidem.wait.SleepTraits;
import org.ibidem.wait.Waitable;
import org.ibidem.wait.WaitableOver;
import org.jspecify.annotations.Nullable;

/// Lets through what goes on where the frame before ended; of a message with a gap, nothing more.
final class WholeSource implements FrameSource, WaitableOver {
    private final FrameLink link;
    private final FrameSource lower;
    private final Waitable below;

    /// The message whose frame is expected next, and that frame's number; 0: a new message.
    private int message;

    private int frame;

    /// A frame of the next message came while this one's end was missing: it is lent again once
    /// that was said.
    private boolean held;

    private final Frame kept = new Frame();

    private final long within;
    private final Tasks tasks;
    private @Nullable Doorbell bell;
    private Tasks.@Nullable Task alarm;

    /// Since when the next frame of the message in hand is waited for; only while `waits`.
    private long since;

    private boolean waits;

    /// The last frame lent is none of the lower part's.
    private boolean ownWord;

    WholeSource(FrameLink link, Duration within, Tasks tasks) {
        this.within = within.toNanos();
        this.tasks = tasks;
        this.link = link;
        this.lower = link.source();
        this.below = Waitable.of(lower);
    }

    @Override
    public boolean poll(Frame lent) {
        ownWord = false;
        if (held) {
            held = false;
            lent.show(kept);
            if (accepted(lent)) {
                return true;
            }
        }
        while (lower.poll(lent)) {
            if (lent.room() < HEADER) {
                link.close();
                throw new LinkBroken(
                        "the peer sent a frame of "
                                + lent.room()
                                + " bytes where each has a header of "
                                + HEADER
                                + "; the link was closed");
            }
            if (accepted(lent)) {
                return true;
            }
        }
        return frame > 0 && givenUp(lent);
    }

    /// Nothing came: for how long already?
    private boolean givenUp(Frame lent) {
        if (!waits) {
            waits = true;
            since = tasks.nanoTime();
        }
        if (left() > 0) {
            return false;
        }
        message++;
        frame = 0;
        waits = false;
        ownWord = true;
        lent.empty();
        lent.flags = Frame.ABANDONED;
        return true;
    }

    private long left() {
        return since + within - tasks.nanoTime();
    }

    private boolean accepted(Frame lent) {
        int itsMessage = number(lent, 0);
        int itsFrame = number(lent, 4);
        if (frame > 0 && itsMessage == message && itsFrame == frame) {
            return lend(lent, itsMessage, itsFrame);
        }
        if (itsMessage - message < 0 || (itsMessage == message && itsFrame < frame)) {
            return false; // late, or a second time
        }
        if (frame > 0) {
            return abandon(lent, itsMessage);
        }
        // Between messages: only the first frame of one begins it; of others the rest is of no use.
        return itsFrame == 0 && lend(lent, itsMessage, itsFrame);
    }

    private int number(Frame lent, int at) {
        return lent.memory.get(WholeSink.INT, lent.position + at);
    }

    private boolean lend(Frame lent, int itsMessage, int itsFrame) {
        boolean more = (lent.flags & Frame.MORE) != 0;
        message = more ? itsMessage : itsMessage + 1;
        frame = more ? itsFrame + 1 : 0;
        waits = false;
        lent.position += HEADER;
        return true;
    }

    /// Says that the message in hand is lost; the frame that showed it is looked at again
    /// afterwards.
    private boolean abandon(Frame lent, int itsMessage) {
        if (itsMessage != message) {
            kept.show(lent);
            held = true;
        }
        message++;
        frame = 0;
        waits = false;
        lent.position = lent.limit;
        lent.flags = Frame.ABANDONED;
        return true;
    }

    @Override
    public void release() {
        if (!held && !ownWord) {
            lower.release();
        }
    }

    @Override
    public Armed arm() {
        var mine = bell;
        if (held || (waits && (mine == null || left() <= 0))) {
            return Armed.READY;
        }
        if (waits && mine != null && alarm == null) {
            alarm = tasks.after(Duration.ofNanos(left()), "a message given up", mine::ring);
        }
        return below.arm();
    }

    @Override
    public void disarm() {
        var set = alarm;
        if (set != null) {
            alarm = null;
            set.stop();
        }
        below.disarm();
    }

    /// A message is given up by the passing of time.
    @Override
    public SleepTraits traits() {
        return below.traits().looksOnce().silent();
    }

    @Override
    public void bell(Doorbell waiter) {
        bell = waiter;
        below.bell(waiter);
    }

    @Override
    public Waitable below() {
        return below;
    }
}
