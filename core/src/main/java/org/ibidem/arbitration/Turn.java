package org.ibidem.arbitration;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The right to use one side of a port: one holder, others wait. Free it costs one compare-and-set,
/// which is why it is not a lock of the library.
public final class Turn {
    private static final VarHandle TAKEN;

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

    /// Only ever compared with the current thread by itself: a stale value is never the own one,
    /// for it is cleared first.
    private @Nullable Thread holder;

    /// Makes a free one.
    public Turn() {}

    /// Takes it if it is free.
    public boolean tryTake() {
        if (TAKEN.compareAndSet(this, 0, 1)) {
            holder = Thread.currentThread();
            return true;
        }
        return false;
    }

    /// Waits for it.
    ///
    /// @param what the port, for the message to a thread that would wait for itself
    public void take(String what) {
        if (!tryTake()) {
            takeSlowly(what, Long.MAX_VALUE);
        }
    }

    /// Takes it, by force when `limit` is over: only to close, when the holder may never come back.
    public void take(String what, Duration limit) {
        if (!tryTake()) {
            takeSlowly(what, System.nanoTime() + limit.toNanos());
        }
    }

    @SuppressWarnings("ReferenceEquality") // a thread is itself
    private synchronized void takeSlowly(String what, long deadline) {
        if (holder == Thread.currentThread()) {
            throw new IllegalStateException(
                    "this thread has a message of " + what + " in hand: finish or close it first");
        }
        waiting++;
        try {
            while (!tryTake()) {
                long left =
                        deadline == Long.MAX_VALUE ? 0 : (deadline - System.nanoTime()) / 1_000_000;
                if (deadline != Long.MAX_VALUE && left <= 0) {
                    return;
                }
                wait(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new WaitInterrupted();
        } finally {
            waiting--;
        }
    }

    /// Lets the next one have it. The store of `taken` before the load of `waiting`, both volatile;
    /// in [#takeSlowly] it is the other way round.
    public void giveBack() {
        holder = null;
        TAKEN.setVolatile(this, 0);
        if (waiting != 0) {
            wakeOne();
        }
    }

    private synchronized void wakeOne() {
        notifyAll();
    }
}
