package org.ibidem.port;

import java.lang.System.Logger.Level;
import java.time.Duration;
import org.ibidem.arbitration.WaitInterrupted;
import org.ibidem.arbitration.WaitPolicy;
import org.ibidem.arbitration.Waiter;
import org.ibidem.buffer.Frame;
import org.ibidem.buffer.Tally;
import org.ibidem.channel.OutChannel;
import org.ibidem.config.Limit;
import org.ibidem.link.FrameSink;
import org.ibidem.link.LinkBroken;
import org.ibidem.monitor.Monitor;
import org.ibidem.ring.Joinable;
import org.ibidem.ring.Participant;
import org.ibidem.task.Tasks;
import org.ibidem.wait.Armed;
import org.ibidem.wait.Waitable;
import org.ibidem.wait.WaitableOver;
import org.jspecify.annotations.Nullable;

/// One connection of a send port.
///
/// As a sink it is one of several below `multicast`; where it is the only one, messages go straight
/// into the channel's sink. As a sleeper it takes part in a wait only while it is what the wait is
/// for: a socket that could be written to would end every wait at once.
final class Output implements FrameSink, WaitableOver, Joinable {
    private static final System.Logger LOG = System.getLogger(SendPort.class.getName());

    final Target target;
    final OutChannel channel;
    final PortProtocol.Made made;
    final Monitor.Row row;
    private final FrameSink sink;
    private final Waitable below;

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

    /// The flag of the last empty frame.
    private int said;

    /// Why `multicast` has left it out; its end is still to be said.
    @Nullable String fallen;

    Output(Target target, PortProtocol.Made made, Monitor.Row row) {
        this.target = target;
        this.made = made;
        this.row = row;
        this.channel = made.channel();
        this.sink = channel.sink();
        this.below = Waitable.of(sink);
        below.tally(row.tally());
    }

    /// Nobody uses it any more: without an end the link goes with it. Its row of counters is for
    /// another from now on, whoever still reads or writes.
    void letGo() {
        below.tally(Tally.unseen());
        row.close();
        channel.detached();
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

    /// Commits an empty frame with this flag, unless it was committed and could not be sent yet.
    private boolean say(int flag, Waiter waiter, long deadline) {
        boolean sent = push(); // frames that were held back may fill the ring
        if (said != flag) {
            var room = new Frame();
            if (!claimsEnd(room)) {
                waiter.begin(deadline); // may sleep at once, so not before it is known to be full
                while (!claimsEnd(room)) {
                    if (!waiter.idle(deadline)) {
                        return false;
                    }
                }
            }
            sent = sink.commit(room, flag);
            said = flag;
        }
        while (!sent && !push()) {
            if (!waiter.idle(deadline)) {
                return false;
            }
        }
        return true;
    }

    /// Tells the receiver that nothing follows; the link itself lives on for others. Where the
    /// receiver makes no room in time, the connection is given up instead.
    ///
    /// @return false: it was given up, or the link is broken
    boolean end(SendPort port, Waiter waiter, long deadline) {
        if (channel.isGivenUp()) {
            return false;
        }
        try {
            if (sayEnd(waiter, deadline)) {
                channel.ended();
                return true;
            }
            LOG.log(Level.WARNING, "{0}: {1} did not read, and is given up", port, this);
            channel.giveUp("its reader did not make room for the end");
        } catch (LinkBroken e) {
            LOG.log(Level.DEBUG, "{0} was disconnected from a broken link", port);
        } catch (WaitInterrupted e) { // the thread's status stays: nor are the others waited for
            channel.giveUp("its sender was interrupted before it could say that it ends");
        }
        return channel.closedInOrder();
    }

    /// The same as far as that goes without waiting.
    ///
    /// @return false: there is no room for it yet
    boolean endsNow(Waiter waiter) {
        if (channel.isGivenUp()) {
            return true;
        }
        try {
            boolean said = sayEnd(waiter, waiter.deadline(Duration.ZERO));
            if (said) {
                channel.ended();
            }
            return said;
        } catch (LinkBroken e) {
            LOG.log(Level.DEBUG, "{0} is over, and its link is broken", this);
            return true;
        } catch (WaitInterrupted _) { // the thread's status stays
            return false;
        }
    }

    /// The same by a task, which waits for room. Nobody else uses it any more.
    void endLater(SendPort port, Tasks tasks) {
        try {
            tasks.attend(port + " ends a connection", () -> endAside(port));
        } catch (IllegalStateException _) { // this node is going down
            letGo();
        }
    }

    private void endAside(SendPort port) {
        try (var waiter = new Waiter(WaitPolicy.SLEEP)) {
            oneOfSeveral(false);
            waiter.add(this);
            boolean _ = end(port, waiter, waiter.deadline(Limit.CLOSE.get()));
            waiter.remove(this);
        } catch (InternalError e) { // of memory that was cut short
            LOG.log(Level.DEBUG, "{0}: {1}", port, LinkBroken.cut(e).getMessage());
        } finally {
            letGo();
        }
    }

    /// Whether the receiver, or the system, has all that was sent to it, by `deadline`.
    boolean hasArrived(SendPort port, Waiter waiter, long deadline) {
        if (channel.closedBecause() != null || channel.drain(waiter.left(deadline))) {
            return true;
        }
        boolean late = waiter.left(deadline).toNanos() <= 1; // otherwise the link is over
        LOG.log(
                late ? Level.WARNING : Level.DEBUG,
                "{0}: {1} has not acknowledged everything; what is missing may be lost",
                port,
                this);
        return false;
    }

    /// As far as that goes without waiting.
    boolean saysEndNow(Waiter waiter) {
        try {
            return sayEnd(waiter, waiter.deadline(Duration.ZERO));
        } catch (LinkBroken _) {
            return false; // as it is found once more
        }
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
    public Waitable below() {
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
