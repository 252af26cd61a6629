package org.ibidem.wait;

import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import org.jspecify.annotations.Nullable;

/// How one thread waits for what comes, in a selector of its own, where else the loop of a node
/// would wait for many on the same channel. That is a change of threads less.
///
/// What it waits for has one such waiter, and may take itself back for the loop at any time: then
/// it wakes who waited. The order is: [#arm]; select, as it says; [#ready] if the key was selected;
/// [#disarm]; look. `OwnSleepModelTest` tries every order of all this.
///
/// [#arm] and [#ready] are for the thread that selects.
public final class DirectWait implements AutoCloseable {
    /// What is waited for.
    public interface Source {
        /// As [DirectWait#arm] says.
        @Nullable Armed arm(DirectWait by);

        /// As [DirectWait#disarm] says.
        void disarm(DirectWait by);

        /// This waiter is closed and does not come back.
        void detach(DirectWait by);
    }

    private final Source what;
    private final Selector selector;
    private final Runnable wakeup;
    private volatile @Nullable SelectionKey key;
    private boolean selected;
    private volatile boolean closed;

    /// @param wakeup ends a selection, or the next one
    public DirectWait(Source what, Selector selector, Runnable wakeup) {
        this.what = what;
        this.selector = selector;
        this.wakeup = wakeup;
    }

    /// Says that its thread is about to select, and looks whether there is something. Once more
    /// while it is armed: looks again.
    ///
    /// @return null: it cannot now, and the loop can
    public @Nullable Armed arm() {
        return what.arm(this);
    }

    /// Its key was selected.
    public void ready() {
        selected = true;
    }

    /// Its thread is awake.
    public void disarm() {
        what.disarm(this);
    }

    /// What ends a selection of its thread, or the next one.
    public Runnable wakeup() {
        return wakeup;
    }

    /// Whether its key was selected since this was asked last.
    public boolean wasSelected() {
        boolean was = selected;
        selected = false;
        return was;
    }

    /// Has the selector know where to wait.
    ///
    /// @param channel null: only [#wakeup] ends the sleep
    /// @return false: it does not take it now
    public boolean registers(@Nullable SelectableChannel channel, int interest) {
        if (closed) {
            return false;
        }
        if (channel == null) {
            return true;
        }
        try {
            var mine = key;
            if (mine == null || !mine.channel().equals(channel)) {
                cancel();
                key = null;
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
    public void leave() {
        closed = true;
        cancel();
    }

    private void cancel() {
        var mine = key;
        if (mine != null) {
            mine.cancel();
        }
    }

    /// Waits no more: the loop does again.
    @Override
    public void close() {
        what.detach(this);
        leave();
    }
}
