package org.ibidem.arbitration;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// The right to use one side of a port: one holder, others wait. Free it costs one compare-and-set,
/// which is why it is not a lock of the library.
public final class Turn {
    private static final VarHandle TAKEN;
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long LOOK_AGAIN_MILLIS = 1;

    static {
        try {
            TAKEN = MethodHandles.lookup().findVarHandle(Turn.class, "taken", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static final long FREE = 0;

    /// The heir's, and not free for others.
    private static final long INHERITED = -1;

    /// Or its holder's thread, by its number, which is above 0: storing a reference would cost the
    /// collector's barrier.
    @SuppressWarnings("UnusedVariable") // read through TAKEN
    private volatile long taken;

    private volatile int waiting;

    /// Those who wait, the first come first.
    private final ArrayDeque<Waiting> queue = new ArrayDeque<>(2);

    private @Nullable Waiting heir;

    /// A thread that waits.
    private static final class Waiting {
        final long since;

        Waiting(long since) {
            this.since = since;
        }
    }

    /// Makes a free one.
    public Turn() {}

    /// Takes it if it is free.
    public boolean tryTake() {
        return TAKEN.compareAndSet(this, FREE, Thread.currentThread().threadId());
    }

    /// Takes it if it is free now, or within a millisecond: its holder may just be about to go.
    ///
    /// @param what the port, for the message to a thread that would wait for itself
    public boolean takeNow(String what) {
        return tryTake() || takeSlowly(what, System.nanoTime() + NANOS_PER_MILLI);
    }

    /// Waits for it.
    ///
    /// @param what the port, for the message to a thread that would wait for itself
    public void take(String what) {
        if (!tryTake()) {
            takeSlowly(what, Long.MAX_VALUE);
        }
    }

    /// Waits for it, but not for ever.
    ///
    /// @param what the port, for the message to a thread that would wait for itself
    /// @param deadline in `System.nanoTime`; [Long#MAX_VALUE]: none
    /// @return false: the deadline has passed
    public boolean take(String what, long deadline) {
        return tryTake() || takeSlowly(what, deadline);
    }

    /// Waits for it for a while: to close, when the holder may never come back.
    ///
    /// @return false: not taken, because the time is over, the holder is this thread, or this
    ///   thread was interrupted
    public boolean take(Duration limit) {
        try {
            return tryTake() || (!isMine() && await(System.nanoTime() + limit.toNanos()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /// Whether this thread holds it.
    public boolean isMine() {
        return (long) TAKEN.getOpaque(this) == Thread.currentThread().threadId();
    }

    private boolean takeSlowly(String what, long deadline) {
        if (isMine()) {
            throw new IllegalStateException(
                    "this thread has a message of " + what + " in hand: finish or close it first");
        }
        try {
            return await(deadline);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new WaitInterrupted();
        }
    }

    private synchronized boolean await(long deadline) throws InterruptedException {
        var me = new Waiting(System.nanoTime());
        queue.add(me);
        waiting = queue.size();
        try {
            while (!tryTake() && !inherits(me)) {
                if (deadline != Long.MAX_VALUE && System.nanoTime() - deadline >= 0) {
                    return false;
                }
                wait(LOOK_AGAIN_MILLIS);
            }
            return true;
        } finally {
            leave(me);
        }
    }

    @SuppressWarnings("ReferenceEquality") // this one, not one like it
    private boolean inherits(Waiting me) {
        if (heir != me) {
            return false;
        }
        heir = null;
        taken = Thread.currentThread().threadId();
        return true;
    }

    @SuppressWarnings("ReferenceEquality") // this one, not one like it
    private void leave(Waiting me) {
        queue.remove(me);
        waiting = queue.size();
        if (heir == me) { // it did not want it any more
            heir = null;
            taken = FREE;
            notifyAll();
        }
    }

    /// Lets the next one have it. No fence between the store of `taken` and the load of `waiting`,
    /// which would cost every message some nanoseconds: in the rare order in which that misses a
    /// waiter, the waiter looks again by itself after a millisecond.
    public void giveBack() {
        if (waiting != 0 && handsOver()) {
            return;
        }
        TAKEN.setRelease(this, FREE);
        if (waiting != 0) {
            wakeOne();
        }
    }

    /// Who takes it again at once is faster than whoever has to wake up first: so one that waited
    /// long gets it in hand.
    private synchronized boolean handsOver() {
        var first = queue.peek();
        if (first == null || System.nanoTime() - first.since < NANOS_PER_MILLI) {
            return false;
        }
        heir = first;
        taken = INHERITED;
        notifyAll();
        return true;
    }

    private synchronized void wakeOne() {
        notifyAll();
    }
}
