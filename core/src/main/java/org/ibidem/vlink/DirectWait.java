package org.ibidem.vlink;

import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import org.ibidem.wait.Armed;
import org.jspecify.annotations.Nullable;

/// How one thread waits for what comes on a VLink without the node's loop: in a selector of its
/// own, on the channel on which the loop would wait. That is a change of threads less.
///
/// A VLink has one such waiter, and only while nobody watches it: [VLink#whenReadable] takes it
/// back to the loop, and wakes who waited. The order is: [#arm]; select, as it says; [#ready] if
/// the key was selected; [#disarm]; read. `OwnSleepModelTest` tries every order of all this.
///
/// [#arm] and [#ready] are for the thread that selects.
public final class DirectWait implements AutoCloseable {
    private final Inflow in;
    private final Selector selector;
    private final Runnable wakeup;
    private volatile @Nullable SelectionKey key;
    private boolean selected;
    private volatile boolean closed;

    /// @param wakeup ends a selection, or the next one
    DirectWait(Inflow in, Selector selector, Runnable wakeup) {
        this.in = in;
        this.selector = selector;
        this.wakeup = wakeup;
    }

    /// Says that its thread is about to select, and looks whether there is something. Once more
    /// while it is armed: looks again.
    ///
    /// @return null: it cannot now, and [VLink#whenReadable] can
    public @Nullable Armed arm() {
        return in.arm(this);
    }

    /// Its key was selected.
    public void ready() {
        selected = true;
    }

    /// Its thread is awake.
    public void disarm() {
        in.disarm(this);
    }

    /// Who calls for its thread.
    public Runnable wakeup() {
        return wakeup;
    }

    /// Whether its key was selected since this was asked last.
    boolean wasSelected() {
        boolean was = selected;
        selected = false;
        return was;
    }

    /// Has the selector know where to wait.
    ///
    /// @param channel null: only [#wakeup] ends the sleep
    /// @return false: it does not take it now
    boolean registers(@Nullable SelectableChannel channel, int interest) {
        if (closed) {
            return false;
        }
        if (channel == null) {
            return true;
        }
        try {
            var mine = key;
            if (mine == null || !mine.channel().equals(channel)) {
                mine = channel.register(selector, interest, this);
                key = mine;
            } else if (mine.interestOps() != interest) {
                mine.interestOps(interest);
            }
            if (closed) {
                mine.cancel();
            }
            return !closed;
        } catch (ClosedChannelException
                | ClosedSelectorException
                | CancelledKeyException
                | IllegalBlockingModeException _) {
            return false; // the loop's look says what has become of it
        }
    }

    /// The channel may serve another from now on.
    void leave() {
        closed = true;
        var mine = key;
        if (mine != null) {
            mine.cancel();
        }
    }

    /// Waits no more: the loop does again.
    @Override
    public void close() {
        in.detach(this);
        leave();
    }
}
