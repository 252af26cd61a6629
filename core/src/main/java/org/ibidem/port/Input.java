package org.ibidem.port;

import org.ibidem.buffer.Frame;
import org.ibidem.buffer.ReadyBit;
import org.ibidem.buffer.Tally;
import org.ibidem.channel.InChannel;
import org.ibidem.link.FrameSource;
import org.ibidem.link.LinkBroken;
import org.ibidem.monitor.Monitor;
import org.ibidem.wait.Armed;
import org.ibidem.wait.Doorbell;
import org.ibidem.wait.Resting;
import org.ibidem.wait.SleepTraits;
import org.ibidem.wait.Waitable;
import org.ibidem.wait.WaitableOver;
import org.jspecify.annotations.Nullable;

/// One connection of a receive port.
///
/// As one of several it is looked at only when its channel was ready or it had something the last
/// time, where that says enough: a look at a socket is a system call. While another one's message
/// is in hand it takes no part in a wait.
final class Input implements FrameSource, WaitableOver, Resting {
    final Origin origin;
    final Places.Claim claim;
    final InChannel channel;
    private final FrameSource source;
    private final Waitable below;

    private final Monitor.Row row;

    /// Where its messages are counted.
    Tally tally;

    /// Whether to look only when it is ready.
    private boolean gated;

    private boolean muted;
    private boolean armed;
    private volatile boolean ready = true;
    private final @Nullable Resting resting;

    /// What makes the reader look at it while it rests.
    private volatile @Nullable ReadyBit restsBy;

    /// Whether something came since it was waited for what is still on its way.
    private boolean came = true;

    /// Nothing comes over the link any more: its end was lent, though the frame that says so did
    /// not come, or it is broken.
    private boolean over;

    /// How it broke, which may be its end in order: the frame that says so was lost perhaps.
    private @Nullable LinkBroken broken;

    /// The sender gave it up unused: to be let go of.
    volatile boolean cancelled;

    /// The program has ended it.
    volatile boolean unwanted;

    /// Its turn has come among those of its send port: an earlier one was read to its end.
    private volatile boolean first;

    private volatile boolean dropped;

    /// A frame that was found when its end was looked for: the next one to be read.
    private final Frame ahead = new Frame();

    private volatile boolean holds;

    /// What it has said of classes, and the graphs of the message in hand.
    final ObjectCoder.Reading objects;

    Input(Places.Claim claim, InChannel channel, Monitor.Row row, ObjectCoder.Reading objects) {
        this.objects = objects;
        this.claim = claim;
        this.origin = claim.origin;
        this.channel = channel;
        this.source = channel.source();
        this.below = Waitable.of(source);
        this.row = row;
        this.tally = row.tally();
        this.resting = source instanceof Resting able ? able : null;
        below.tally(tally);
    }

    /// Its row of counters is for another from now on, whoever still reads or writes.
    void uncount() {
        tally = Tally.unseen();
        below.tally(tally);
        row.close();
    }

    /// It is read from now on, alone or as one of several.
    void oneOfSeveral(boolean among) {
        first = true;
        rouse();
        gated = among && below.traits().announces();
        ready = true;
    }

    boolean isFirst() {
        return first;
    }

    /// Nobody uses it any more.
    void drop() {
        dropped = true;
    }

    /// Whether it is a connection in the program's eyes.
    boolean isWanted() {
        return !unwanted && !dropped;
    }

    boolean isDropped() {
        return dropped;
    }

    boolean holds() {
        return holds;
    }

    /// Looks whether its end has come. A message that has come instead is kept for who reads next.
    /// For who holds the turn, between messages.
    boolean atEnd() {
        while (!holds) {
            ready = true;
            if (!poll(ahead, 0)) {
                return false;
            }
            int flags = ahead.flags;
            holds = (flags & (Frame.END | Frame.ABANDONED)) == 0;
            if (!holds) {
                ahead.empty();
                ahead.flags = 0;
            }
            if ((flags & Frame.END) != 0) {
                return true;
            }
        }
        roused();
        return false;
    }

    @Override
    public boolean glance(Frame lent) {
        boolean found = !holds && !gated && !over && source.glance(lent);
        if (found) {
            came = true;
        }
        return found;
    }

    private boolean handOver(Frame lent) {
        lent.show(ahead);
        ahead.empty();
        holds = false;
        ready = true;
        return true;
    }

    void mute(boolean yes) {
        muted = yes;
    }

    /// What it stands over: what is read from there directly passes by what it knows, so only where
    /// it knows nothing.
    FrameSource source() {
        return source;
    }

    @Override
    public boolean poll(Frame lent) {
        return poll(lent, 0);
    }

    @Override
    public boolean poll(Frame lent, int more) {
        if (holds) {
            return handOver(lent);
        }
        if (gated) {
            if (!ready) {
                return false;
            }
            ready = false; // before the look: what comes after it sets it again
        }
        try {
            if (!over && (more > 0 ? source.poll(lent, more) : source.poll(lent))) {
                came = true;
                if (gated) {
                    ready = true;
                }
                return true;
            }
        } catch (LinkBroken e) {
            if (!channel.losesItsEnd()) {
                throw e;
            }
            broken = e;
            over = true;
            channel.linger();
        }
        if (channel.isDone()) {
            return !lingers() && ends(lent);
        }
        var gone = channel.goneBecause();
        if (gone != null) { // a link may not notice that nobody is at the other end any more
            if (!over && source.poll(lent)) { // it came after the look, before that was known
                came = true;
                ready = true;
                return true;
            }
            throw new LinkBroken(gone);
        }
        var why = broken;
        if (why != null && channel.hasLingered()) {
            throw why;
        }
        return false;
    }

    /// The sender has ended it, and said so another way. What it sent before may still be on its
    /// way.
    private boolean lingers() {
        if (came) {
            came = false;
            channel.linger();
        }
        return !over && !channel.hasLingered();
    }

    /// Whatever comes from now on is lost, or the rest of a message that was given up would look
    /// like another.
    private boolean ends(Frame lent) {
        try {
            over = over || !source.poll(lent);
        } catch (LinkBroken e) {
            over = true; // after its end
        }
        if (over) {
            lent.empty();
            lent.flags = Frame.END;
        }
        ready = true;
        return true;
    }

    @Override
    public void release() {
        if (!holds) { // else what was lent is given back, and the next one here
            source.release();
        }
    }

    @Override
    public Waitable below() {
        return below;
    }

    @Override
    public SleepTraits traits() {
        return below.traits();
    }

    @Override
    public int interest() {
        return muted || over || !first ? 0 : below.interest();
    }

    @Override
    public @Nullable ReadyBit bit() {
        return resting == null ? null : resting.bit();
    }

    /// What ends the connection in another way than by its frames says so after this, or is seen
    /// here.
    @Override
    public boolean rest() {
        var able = resting;
        var bit = bit();
        if (able == null || bit == null) {
            return false;
        }
        restsBy = bit;
        if (!holds && able.rest() && !channel.isDone() && channel.goneBecause() == null) {
            return true;
        }
        rouse();
        return false;
    }

    @Override
    public void rouse() {
        if (resting != null && restsBy != null) {
            restsBy = null;
            resting.rouse();
        }
    }

    private void roused() {
        ready = true;
        var bit = restsBy;
        if (bit != null) {
            bit.set();
        }
    }

    @Override
    public Armed arm() {
        armed = first && !muted;
        if (!armed) {
            return Armed.SLEEP;
        }
        var answer = holds ? Armed.READY : over ? Armed.SLEEP : below.arm();
        answer = answer.and(Armed.quiet(!known()));
        if (answer == Armed.READY) {
            roused(); // what was seen while it was armed is found at once where it rests, too
        }
        return answer;
    }

    /// Whether its end was said otherwise, perhaps while there were messages to read: nobody says
    /// so again.
    private boolean known() {
        return channel.goneBecause() != null
                || (channel.isDone() && (came || over || channel.hasLingered()))
                || (broken != null && channel.hasLingered());
    }

    @Override
    public void disarm() {
        if (armed) {
            below.disarm();
        }
    }

    @Override
    public void ready() {
        below.ready();
        roused();
    }

    /// Something has happened to the connection: it is to be looked at.
    void look() {
        roused();
    }

    @Override
    public void bell(Doorbell bell) {
        below.bell(() -> {
            roused();
            bell.ring();
        });
    }

    /// Why nothing more can come, where the service knows more than the link.
    String reason(LinkBroken e) {
        @Nullable String known = channel.goneBecause();
        return known != null ? known : String.valueOf(e.getMessage());
    }

    /// The sender closed it in order, or never used it: the direction is free for another.
    void ended() {
        source.release();
        channel.ended();
    }
}
