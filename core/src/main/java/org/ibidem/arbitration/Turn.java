package org.ibidem.arbitration;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;

/// The right to use one side of a port: one holder, others wait. Free it costs one compare-and-set,
/// which is why it is not a lock of the library.
public final class Turn {
    private static final VarHandle TAKEN;
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long LOOK_AGAIN_MILLIS = 1;

    static {
        try {
            TAKEN = MethodHandles.lookup().findVarHandle(Turn.class, "taken", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("unused") // through TAKEN
    private volatile int taken;

    private volatile int waiting;

    /// The holder's thread, by its number: storing a reference would cost the collector's barrier.
    /// Only ever compared with the current thread by itself: a stale value is never the own one,
    /// for it is cleared first.
    private long holder;

    /// Makes a free one.
    public Turn() {}

    /// Takes it if it is free.
    public boolean tryTake() {
        if (TAKEN.compareAndSet(this, 0, 1)) {
            holder = Thread.currentThread().threadId();
            return true;
        }
        return false;
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
    public synchronized boolean take(Duration limit) {
        if (tryTake()) {
            return true;
        }
        if (isMine()) {
            return false;
        }
        long deadline = System.nanoTime() + limit.toNanos();
        waiting++;
        try {
            long left = limit.toMillis();
            while (left > 0) {
                if (tryTake()) {
                    return true;
                }
                wait(LOOK_AGAIN_MILLIS);
                left = (deadline - System.nanoTime()) / NANOS_PER_MILLI;
            }
            return tryTake();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            waiting--;
        }
    }

    private boolean isMine() {
        return holder == Thread.currentThread().threadId();
    }

    private synchronized boolean takeSlowly(String what, long deadline) {
        if (isMine()) {
            throw new IllegalStateException(
                    "this thread has a message of " + what + " in hand: finish or close it first");
        }
        waiting++;
        try {
            while (!tryTake()) {
                if (deadline != Long.MAX_VALUE && System.nanoTime() - deadline >= 0) {
                    return false;
                }
                wait(LOOK_AGAIN_MILLIS);
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new WaitInterrupted();
        } finally {
            waiting--;
        }
    }

    /// Lets the next one have it. No fence between the store of `taken` and the load of `waiting`,
    /// which would cost every message some nanoseconds: in the rare order in which that misses a
    /// waiter, the waiter looks again by itself after a millisecond.
    public void giveBack() {
        holder = 0;
        TAKEN.setRelease(this, 0);
        if (waiting != 0) {
            wakeOne();
        }
    }

    private synchronized void wakeOne() {
        notifyAll();
    }
}
