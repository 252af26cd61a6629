package org.ibidem.circuit;

import java.time.Duration;
import org.ibidem.arbitration.WaitPolicy;
import org.ibidem.arbitration.Waiter;
import org.ibidem.buffer.Frame;
import org.ibidem.channel.OutChannel;
import org.ibidem.link.FrameSink;
import org.ibidem.link.LinkBroken;
import org.ibidem.wait.Armed;
import org.ibidem.wait.Waitable;
import org.ibidem.wait.WaitableOver;

/// The link to one member. It takes part in a wait only while there was no room in it: a socket
/// that can be written to would end every wait at once.
final class Outward implements WaitableOver {
    final int to;
    final OutChannel channel;
    private final CircuitProtocol.Made made;
    private final FrameSink sink;
    private final Waitable below;
    private final Frame probe = new Frame();
    private int wanted;
    private boolean refused;
    private boolean unsent;
    private boolean left;
    private boolean saidEnd;
    private int uses;
    private int seen;
    private boolean armed;

    Outward(int to, CircuitProtocol.Made made) {
        this.to = to;
        this.made = made;
        this.channel = made.channel();
        this.sink = channel.sink();
        this.below = Waitable.of(sink);
    }

    /// Its stack, how it was made, and what was preferred to it.
    String way() {
        return made.stack() + channel.course() + made.passedOver();
    }

    boolean claim(Frame room, int atLeast) {
        var why = channel.closedBecause();
        if (why != null) {
            throw new LinkBroken(why);
        }
        boolean granted = sink.claim(room, atLeast);
        refused = !granted;
        wanted = atLeast;
        return granted;
    }

    void commit(Frame room, int flags) {
        uses++;
        unsent = !sink.commit(room, flags) && (flags & Frame.HOLD) == 0;
    }

    /// Whether something is still here that is to leave.
    boolean isUnsent() {
        return unsent && !left;
    }

    /// Hands on what is still here.
    ///
    /// @return whether something still is
    boolean handsOn() {
        if (isUnsent()) {
            unsent = !sink.push();
        }
        return isUnsent();
    }

    /// Whether nobody has sent or polled since this was asked last.
    boolean rests() {
        boolean same = uses == seen;
        seen = uses;
        return same;
    }

    /// The circuit uses it no more: another thread ends it.
    void leave() {
        left = true;
    }

    /// Hands on what is still here, and tells whether there is room now for who was refused.
    boolean hasRoomAgain() {
        uses++;
        handsOn();
        if (refused && channel.closedBecause() == null) {
            refused = !sink.claim(probe, Math.min(wanted, sink.largest()));
            return !refused;
        }
        return false;
    }

    /// Somebody wanted room before the link was there.
    void wasRefused() {
        refused = true;
    }

    /// Says that nothing follows, also to a reader that wants no more, as far as that goes without
    /// waiting.
    ///
    /// @return whether it is on its way
    boolean saysEnd() {
        if (!saidEnd && sink.push() && sink.claim(probe, 0)) {
            saidEnd = true;
            return sink.commit(probe, Frame.END) || sink.push();
        }
        return saidEnd && sink.push();
    }

    /// The same, waiting for room.
    ///
    /// @return false: its reader made no room for it in time
    boolean saysEnd(Duration limit) {
        try (var waiter = new Waiter(WaitPolicy.SLEEP)) {
            unsent = true; // or it would not be waited for
            waiter.add(this);
            long deadline = waiter.deadline(limit);
            waiter.begin(deadline);
            while (!saysEnd()) {
                if (!waiter.idle(deadline)) {
                    return false;
                }
            }
            waiter.remove(this);
            return true;
        }
    }

    /// Whether there was no room, or something is still here.
    boolean isBusy() {
        return refused || unsent;
    }

    int largest() {
        return sink.largest();
    }

    @Override
    public Waitable below() {
        return below;
    }

    @Override
    public int interest() {
        return isBusy() ? below.interest() : 0;
    }

    @Override
    public Armed arm() {
        armed = isBusy();
        return armed ? below.arm() : Armed.SLEEP;
    }

    @Override
    public void disarm() {
        if (armed) {
            below.disarm();
        }
    }
}
