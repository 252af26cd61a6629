package org.ibidem.circuit;

import org.ibidem.buffer.Frame;
import org.ibidem.channel.InChannel;
import org.ibidem.link.FrameSource;
import org.ibidem.link.LinkBroken;
import org.ibidem.wait.Armed;
import org.ibidem.wait.Doorbell;
import org.ibidem.wait.SleepTraits;
import org.ibidem.wait.Waitable;
import org.ibidem.wait.WaitableOver;

/// The link from one member. As one of several it is looked at only when its channel was ready or
/// it had something the last time, where that says enough: a look at a socket is a system call.
final class Inward implements WaitableOver {
    final int from;
    final InChannel channel;
    private final FrameSource source;
    private final Waitable below;
    private final Frame frame = new Frame();
    private boolean gated;
    private volatile boolean ready = true;

    /// Its frame is kept by who reads it.
    private boolean held;

    /// @param wake has whoever sleeps look again
    Inward(int from, InChannel channel, Runnable wake) {
        this.from = from;
        this.channel = channel;
        this.source = channel.source();
        this.below = Waitable.of(source);
        channel.whenClosed(() -> {
            ready = true;
            wake.run();
        });
    }

    void oneOfSeveral(boolean several) {
        gated = several && below.traits().announces();
        ready = true;
    }

    /// The next frame, if there is one.
    ///
    /// @param glance of several looks for the same it is the first, which may be better made a
    ///   moment later
    /// @param more how many times more to look
    /// @throws LinkBroken when none will come
    boolean poll(boolean glance, int more) {
        if (held) {
            return false;
        }
        if (gated) {
            if (!ready) {
                return false;
            }
            ready = false; // before the look: what comes after it sets it again
        }
        if ((glance && source.glance(frame)) || source.poll(frame, more)) {
            ready = true;
            return true;
        }
        var gone = channel.goneBecause();
        if (gone == null) {
            return false;
        }
        if (source.poll(frame)) { // it came after the look, and before that was known
            ready = true;
            return true;
        }
        throw new LinkBroken(gone); // a link may not notice that nobody is at its other end
    }

    Frame frame() {
        return frame;
    }

    /// Whoever reads keeps the frame in hand, or not any more.
    void hold(boolean yes) {
        held = yes;
        ready = true;
    }

    /// Gives the frame in hand back.
    void release() {
        source.release();
    }

    @Override
    public Waitable below() {
        return below;
    }

    @Override
    public Armed arm() {
        if (held) {
            return Armed.SLEEP;
        }
        var armed = channel.goneBecause() != null ? Armed.READY : below.arm();
        ready |= armed == Armed.READY;
        return armed;
    }

    @Override
    public int interest() {
        return held ? 0 : below.interest();
    }

    @Override
    public SleepTraits traits() {
        return below.traits();
    }

    @Override
    public void ready() {
        below.ready();
        ready = true;
    }

    @Override
    public void bell(Doorbell bell) {
        below.bell(() -> {
            ready = true;
            bell.ring();
        });
    }
}
