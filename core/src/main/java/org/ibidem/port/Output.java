package org.ibidem.port;

import org.ibidem.arbitration.Waiter;
import org.ibidem.buffer.Frame;
import org.ibidem.buffer.Tally;
import org.ibidem.link.Armed;
import org.ibidem.link.FrameSink;
import org.ibidem.link.Joinable;
import org.ibidem.link.LinkBroken;
import org.ibidem.link.Participant;
import org.ibidem.link.Sleepy;
import org.ibidem.link.SleepyOver;
import org.ibidem.monitor.Monitor;
import org.ibidem.service.OutChannel;
import org.jspecify.annotations.Nullable;

/// One connection of a send port.
///
/// As a sink it is one of several below `multicast`; where it is the only one, messages go straight
/// into the channel's sink. As a sleeper it takes part in a wait only while it is what the wait is
/// for: a socket that could be written to would end every wait at once.
final class Output implements FrameSink, SleepyOver, Joinable {
    final Target target;
    final OutChannel channel;
    final PortProtocol.Made made;
    final Monitor.Row row;
    private final FrameSink sink;
    private final Sleepy below;

    /// Whether there are other outputs, which may be what is waited for.
    private boolean oneOfSeveral;

    /// What a wait may be for: room that was refused, or frames that are still here.
    private boolean refused;

    private boolean unsent;
    private boolean armed;

    /// The program knows, or can ask, that it is over.
    volatile boolean gone;

    /// It has got a part of a message that was given up, and there was no room to say so.
    boolean owed;

    /// Why `multicast` has left it out; its end is still to be said.
    @Nullable String fallen;

    Output(Target target, PortProtocol.Made made, Monitor.Row row) {
        this.target = target;
        this.made = made;
        this.row = row;
        this.channel = made.channel();
        this.sink = channel.sink();
        this.below = Sleepy.of(sink);
        below.tally(row.tally());
    }

    /// Its row of counters is for another from now on, whoever still reads or writes.
    void uncount() {
        below.tally(Tally.unseen());
        row.close();
    }

    void oneOfSeveral(boolean several) {
        oneOfSeveral = several;
    }

    @Override
    public @Nullable Participant participant() {
        return sink instanceof Joinable one ? one.participant() : null;
    }

    @Override
    public boolean follows() {
        requireOpen();
        boolean there = !(sink instanceof Joinable one) || one.follows();
        refused = !there;
        return there;
    }

    private void requireOpen() {
        var why = channel.closedBecause();
        if (why != null) {
            throw new LinkBroken(why);
        }
    }

    @Override
    public boolean claim(Frame room, int atLeast) {
        requireOpen();
        boolean granted = sink.claim(room, atLeast);
        refused = !granted;
        return granted;
    }

    @Override
    public boolean commit(Frame room, int flags) {
        return sink.commit(room, flags);
    }

    @Override
    public boolean push() {
        boolean all = sink.push();
        unsent = !all;
        return all;
    }

    private boolean isBusy() {
        return refused || unsent;
    }

    /// Its receiver wants no more, or is left out.
    boolean isOver() {
        return fallen != null || channel.closedBecause() != null;
    }

    /// Whether a message that was given up is still to be told of.
    boolean isOwed() {
        return owed && !isOver();
    }

    /// Tells of it, if there is room.
    void tellGivenUp() {
        var room = new Frame();
        push(); // frames that were held back may fill the ring
        if (claimsEnd(room)) {
            sink.commit(room, Frame.ABANDONED);
            owed = false;
        }
    }

    /// Says that nothing follows, even when the receiver wants no more.
    ///
    /// @return false: it made no room for it in time
    boolean sayEnd(Waiter waiter, long deadline) {
        if (owed) {
            owed = !say(Frame.ABANDONED, waiter, deadline);
        }
        return !owed && say(Frame.END, waiter, deadline);
    }

    /// Commits an empty frame with this flag.
    private boolean say(int flag, Waiter waiter, long deadline) {
        var room = new Frame();
        push(); // frames that were held back may fill the ring
        if (!claimsEnd(room)) {
            waiter.begin(deadline); // may sleep at once, so not before it is known to be full
            while (!claimsEnd(room)) {
                if (!waiter.idle(deadline)) {
                    return false;
                }
            }
        }
        boolean sent = sink.commit(room, flag);
        while (!sent && !push()) {
            if (!waiter.idle(deadline)) {
                return false;
            }
        }
        return true;
    }

    private boolean claimsEnd(Frame room) {
        boolean granted = sink.claim(room, 0);
        refused = !granted;
        return granted;
    }

    @Override
    public int largest() {
        return sink.largest();
    }

    @Override
    public Sleepy below() {
        return below;
    }

    @Override
    public int interest() {
        return oneOfSeveral && !isBusy() ? 0 : below.interest();
    }

    @Override
    public Armed arm() {
        armed = !oneOfSeveral || isBusy();
        return armed ? below.arm() : Armed.SLEEP;
    }

    @Override
    public void disarm() {
        if (armed) {
            below.disarm();
        }
    }

    @Override
    public String toString() {
        return target.toString();
    }
}
