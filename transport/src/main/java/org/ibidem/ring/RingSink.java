package org.ibidem.ring;

import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import org.ibidem.buffer.Frame;
import org.ibidem.buffer.RingWriter;
import org.ibidem.buffer.Tally;
import org.ibidem.link.FrameSink;
import org.ibidem.link.LinkBroken;
import org.ibidem.wait.Armed;
import org.ibidem.wait.Doorbell;
import org.ibidem.wait.SleepTraits;
import org.ibidem.wait.Waitable;
import org.jspecify.annotations.Nullable;

/// The sending side of a [RingLink].
final class RingSink implements FrameSink, Waitable, Joinable {
    private static final SleepTraits TRAITS = new SleepTraits(false, false, true);

    private final RingWriter ring;
    private final RingLink link;
    private final RingGrowth growth;
    private volatile @Nullable Doorbell bell;
    private Tally tally = Tally.unseen();

    /// The channel was found ready, or the peer may have rung: then rings are to be taken in, which
    /// is a system call.
    private boolean selected;

    /// Somebody sleeps on it, or is about to: set before his last look.
    private volatile boolean armed;

    private int refused;

    /// Its part in a broadcast, once it was asked for.
    private @Nullable Participant part;

    RingSink(RingWriter ring, RingLink link) {
        this.ring = ring;
        this.link = link;
        this.growth = new RingGrowth(ring, link::reserve);
    }

    @Override
    public boolean claim(Frame room, int atLeast) {
        requireThere();
        try {
            if (ring.claim(room, atLeast) || (growth.full(atLeast) && ring.claim(room, atLeast))) {
                return true;
            }
        } catch (IllegalStateException | InternalError e) {
            throw link.violated(e);
        }
        tally.add(Tally.What.REFUSED, 1);
        if ((++refused & (RingSource.LOOK_EVERY - 1)) == 0) {
            lookAwake();
        }
        return false;
    }

    /// A writer that never sleeps must find out, too, that its reader is gone. Who claims may not
    /// be who sleeps, to whom the peer has rung.
    void lookAwake() {
        if (link.look(this)) {
            ringBell();
        }
    }

    private void requireThere() {
        var broken = link.reason();
        if (broken != null) {
            throw new LinkBroken(broken);
        }
    }

    @Override
    public boolean commit(Frame room, int flags) {
        requireThere();
        try {
            if ((flags & (Frame.MORE | Frame.HOLD)) == 0) {
                ring.commit(room, flags);
                wakeReader();
            } else {
                commitPart(room, flags);
            }
            return true;
        } catch (IllegalStateException | InternalError e) {
            throw link.violated(e);
        }
    }

    /// What is not the end of a burst. The reader is woken later; it may be time for a larger ring.
    private void commitPart(Frame room, int flags) {
        boolean mayMove = (flags & Frame.MORE) != 0 && growth.piece(room);
        ring.commit(room, flags);
        if (mayMove && growth.move()) {
            room.empty(); // what was granted lies in the place before
        }
    }

    @Override
    public boolean push() {
        try {
            wakeReader();
            return true;
        } catch (IllegalStateException | InternalError e) {
            throw link.violated(e);
        }
    }

    private void wakeReader() {
        if (ring.mustWakeReader()) {
            tally.add(Tally.What.DOORBELLS, 1);
            link.wakePeer();
        }
    }

    @Override
    public int largest() {
        return ring.largest();
    }

    /// How far it has written, its part in a broadcast included.
    long moved() {
        var mine = part;
        return ring.written() + (mine == null ? 0 : mine.moved());
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
        armed = true;
        try {
            wakeReader();
            boolean full = link.reason() == null && sleeps();
            selected = !full; // the peer may have rung already
            return Armed.quiet(full);
        } catch (IllegalStateException | InternalError e) {
            link.violated(e); // the next claim says it
            return Armed.READY;
        }
    }

    private boolean sleeps() {
        var shared = part;
        if (shared != null && shared.isJoined()) {
            return shared.sleep();
        }
        return !growth.sleeps() && ring.sleep();
    }

    @Override
    public @Nullable Participant participant() {
        if (part == null && link.broadcasts()) {
            part = new Participant(ring, link, this, tally);
        }
        return part;
    }

    @Override
    public boolean follows() {
        requireThere();
        var shared = part;
        return shared == null || shared.follows();
    }

    @Override
    public void disarm() {
        armed = false;
        try {
            ring.awake();
            if (part != null) {
                part.awake();
            }
            if (selected || link.hasHeard()) {
                selected = false;
                link.look(this);
            }
        } catch (IllegalStateException | InternalError e) {
            link.violated(e);
        }
    }

    @Override
    public SleepTraits traits() {
        return TRAITS;
    }

    @Override
    public void ready() {
        selected = true;
    }

    @Override
    public void tally(Tally counts) {
        tally = counts;
        growth.tally(counts);
        if (part != null) {
            part.tally(counts);
        }
    }

    @Override
    public @Nullable SelectableChannel channel() {
        return link.channel();
    }

    /// Room is announced by the peer's bell, which becomes readable.
    @Override
    public int interest() {
        return SelectionKey.OP_READ;
    }

    @Override
    public void bell(Doorbell waiter) {
        bell = waiter;
    }
}
