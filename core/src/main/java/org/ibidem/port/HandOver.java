package org.ibidem.port;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/// Who calls the program and when: never two upcalls of a port at a time, and never none for want
/// of a thread. One thread waits for messages; when a handler closes its message early another one
/// goes on, and the first ends with its handler.
///
/// @param <M> the messages
final class HandOver<M> {
    /// Where messages come from, and what becomes of them.
    interface Messages<M> {
        /// Waits for the next message, which is the caller's until it is closed.
        M receive();

        /// The next message; null: there is none just now.
        @Nullable M poll();

        /// Calls the handler; throws nothing.
        void handle(M message);

        /// Ends a message, after which there may be another.
        void close(M message);

        /// Has another thread call [HandOver#serveOne] until that answers false.
        void another();
    }

    private final Messages<M> messages;
    private final boolean polled;
    private final Lock lock;
    private final Condition changed;

    /// An upcall runs, and the port waits for it.
    private boolean busy;

    private boolean enabled;
    private boolean closed;

    /// The message whose upcall runs: when it is closed, the next may begin.
    private @Nullable M current;

    /// @param polled messages are handed over when the program asks, by no thread of the port
    HandOver(Messages<M> messages, boolean polled, Lock lock) {
        this.messages = messages;
        this.polled = polled;
        this.lock = lock;
        this.changed = lock.newCondition();
    }

    /// From now on messages are handed over as they come, or not: then none is begun after this
    /// returns.
    void enable(boolean yes) {
        lock.lock();
        try {
            enabled = yes;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// No upcall is begun any more.
    void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Waits for a message and hands it over.
    ///
    /// @return false: this thread has nothing more to do, for the port is closed or another goes on
    boolean serveOne() {
        if (!awaitWanted()) { // with none in hand, or nobody else could look at the port
            return false;
        }
        var message = messages.receive();
        if (begin(message)) {
            return handle(message);
        }
        messages.close(message);
        return false;
    }

    /// Hands over the message that is there, if no upcall is running.
    ///
    /// @return whether there was one
    boolean handOne() {
        if (!beginNow()) {
            return false;
        }
        var message = (M) null;
        try {
            message = messages.poll();
        } finally {
            if (message == null) {
                end();
            }
        }
        if (message == null) {
            return false;
        }
        is(message);
        handle(message);
        return true;
    }

    /// Makes another upcall, when none is running; not any more when the port is closed.
    void call(Runnable upcall) {
        if (begin(null)) {
            try {
                upcall.run();
            } finally {
                end();
            }
        }
    }

    /// Calls the handler, with a message in hand.
    ///
    /// @return false: the message was closed early, another thread goes on
    private boolean handle(M message) {
        messages.handle(message);
        boolean mine = ends(message);
        if (mine) {
            try {
                messages.close(message);
            } finally {
                end();
            }
        }
        return mine;
    }

    private void is(M message) {
        lock.lock();
        try {
            current = message;
        } finally {
            lock.unlock();
        }
    }

    /// Its handler has returned.
    ///
    /// @return false: it was closed before, and what is current now is another's
    private boolean ends(M message) {
        lock.lock();
        try {
            boolean mine = message.equals(current);
            if (mine) {
                current = null;
            }
            return mine;
        } finally {
            lock.unlock();
        }
    }

    /// A message was closed: if its handler still runs, the next upcall need not wait for it.
    ///
    /// @return true: the port must not use this message again
    boolean closedEarly(M message) {
        boolean goesOn;
        lock.lock();
        try {
            if (!message.equals(current)) {
                return false;
            }
            current = null;
            busy = false;
            goesOn = !closed && !polled;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (goesOn) {
            messages.another();
        }
        return true;
    }

    /// Waits until a message is wanted.
    ///
    /// @return false: the port was closed
    private boolean awaitWanted() {
        lock.lock();
        try {
            return awaitFree(true);
        } finally {
            lock.unlock();
        }
    }

    /// Waits for the right to make an upcall, whatever the thread's status: who has a message in
    /// hand must not lose it.
    ///
    /// @param message null: it is for none, and does not wait while messages are not wanted
    /// @return false: the port was closed
    private boolean begin(@Nullable M message) {
        lock.lock();
        try {
            boolean can = awaitFree(message != null);
            if (can) {
                busy = true;
                current = message;
            }
            return can;
        } finally {
            lock.unlock();
        }
    }

    private boolean awaitFree(boolean message) {
        while (!closed && (busy || (message && !enabled))) {
            changed.awaitUninterruptibly();
        }
        return !closed;
    }

    private boolean beginNow() {
        lock.lock();
        try {
            boolean can = !closed && !busy && enabled;
            busy |= can;
            return can;
        } finally {
            lock.unlock();
        }
    }

    /// The same within a limit; then [#end] is to be called.
    ///
    /// @return false: the port was closed, another upcall took too long, or the thread was
    ///   interrupted
    boolean beginWithin(Duration limit) {
        lock.lock();
        try {
            long left = limit.toNanos();
            while (!closed && busy && left > 0) {
                left = changed.awaitNanos(left);
            }
            boolean can = !closed && !busy;
            busy |= can;
            return can;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }

    /// An upcall is over.
    void end() {
        lock.lock();
        try {
            busy = false;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public String toString() {
        return (busy ? "busy " : "free ")
                + (enabled ? "enabled " : "disabled ")
                + (closed ? "closed " : "open ")
                + current;
    }
}
