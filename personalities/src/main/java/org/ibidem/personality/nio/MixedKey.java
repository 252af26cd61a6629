package org.ibidem.personality.nio;

import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectionKey;
import org.ibidem.wait.Armed;
import org.ibidem.wait.DirectWait;
import org.jspecify.annotations.Nullable;

/// A channel in a selector of ours. Where the channel has a part of the JDK's, that part is in the
/// JDK's selector below, with a key of its own.
final class MixedKey extends AbstractSelectionKey implements Runnable {
    private final SelectableChannel channel;
    private final @Nullable Mixed mixed;
    private final MixedSelector selector;
    private volatile int interest;
    private volatile int ready;
    private @Nullable SelectionKey below;

    /// Something may have happened to it since it was looked at.
    private volatile boolean told;

    private volatile @Nullable DirectWait direct;

    /// It is in `direct` that the selector waits for what is to be read, by the selector.
    private boolean waits;

    /// Looks in a row that found nothing, by the selector.
    private int empty;

    MixedKey(SelectableChannel channel, MixedSelector selector) {
        this.channel = channel;
        this.mixed = channel instanceof Mixed known ? known : null;
        this.selector = selector;
    }

    @Nullable Mixed mixed() {
        return mixed;
    }

    @Override
    public SelectableChannel channel() {
        return channel;
    }

    @Override
    public Selector selector() {
        return selector;
    }

    private void requireValid() {
        if (!isValid()) {
            throw new CancelledKeyException();
        }
    }

    @Override
    public int interestOps() {
        requireValid();
        return interest;
    }

    @Override
    public SelectionKey interestOps(int ops) {
        requireValid();
        if ((ops & ~channel.validOps()) != 0) {
            throw new IllegalArgumentException(
                    "operations " + ops + " of a channel that has " + channel.validOps());
        }
        synchronized (this) {
            interest = ops;
            var known = below;
            if (known != null && known.isValid()) {
                known.interestOps(ops);
            }
        }
        selector.look(this);
        return this;
    }

    @Override
    public int readyOps() {
        requireValid();
        return ready;
    }

    int interest() {
        return interest;
    }

    /// It was looked at.
    ///
    /// @return how often in a row nothing was found
    int looked(boolean found) {
        empty = found ? 0 : empty + 1;
        return empty;
    }

    int ready() {
        return ready;
    }

    void ready(int operations) {
        ready = operations;
    }

    /// Puts the JDK's part into the JDK's selector, if there is one and it is not there.
    synchronized void enter(Selector jdk) {
        var part = mixed == null ? channel : mixed.part();
        if (part == null || (below != null && below.isValid())) {
            return;
        }
        leavePart();
        try {
            below = part.register(jdk, interest, this);
            selector.entered();
        } catch (ClosedChannelException | IllegalBlockingModeException | CancelledKeyException e) {
            below = null; // the next look at the channel says so
        }
    }

    /// Says that the JDK's selector is about to wait for what is to be read.
    ///
    /// @return null: it cannot
    @Nullable Armed arm(Selector jdk) {
        var mine = direct;
        if (mine == null && mixed != null) {
            mine = mixed.waitsReadable(jdk, this);
            direct = mine;
        }
        var armed = mine == null ? null : mine.arm();
        waits = armed == Armed.SLEEP || armed == Armed.SLEEP_THEN_LOOK;
        return armed;
    }

    /// It does not wait any more.
    ///
    /// @return whether it did
    boolean disarm() {
        var mine = direct;
        if (mine == null || !waits) {
            return false;
        }
        waits = false;
        mine.disarm();
        return true;
    }

    boolean waits() {
        return waits;
    }

    void told(boolean yes) {
        told = yes;
    }

    boolean isTold() {
        return told;
    }

    /// Takes it out.
    void leave() {
        leavePart();
        var mine = direct;
        if (mine != null) {
            mine.close();
            selector.left(false);
        }
    }

    private synchronized void leavePart() {
        var known = below;
        below = null;
        if (known != null) {
            known.cancel();
            selector.left(true);
        }
    }

    /// There may be something.
    @Override
    public void run() {
        selector.look(this);
        selector.stir();
    }
}
