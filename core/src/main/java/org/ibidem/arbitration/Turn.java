package org.ibidem.arbitration;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The right to use one side of a port: one holder, others wait.
///
/// Most ports are used by one thread only. A thread that has taken the turn [#HABIT] times in a row
/// owns it from then on: it takes it by a store and gives it back by another, without an atomic
/// operation, which would cost a message as much as all the rest. The first other thread to come
/// takes that away for good, and the turn is a compare-and-set for everybody.
///
/// Taking it away is the hard part (biased locking). The owner stores `inside` and then loads
/// `disowned`, with no fence in between; the other stores `disowned` and must then learn `inside`.
/// So the other has to put a barrier into the owner, and asks for the owner's stack: to take it,
/// the JVM stops that thread between two of its steps, where all it has stored is visible, and all
/// it loads afterwards is new. That stop is dear, and happens once in the life of a port.
public final class Turn {
    private static final VarHandle TAKEN;
    private static final VarHandle INSIDE;
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long LOOK_AGAIN_MILLIS = 1;

    /// Who opened and connected a port often gives it to another thread, who then shall own it.
    static final int HABIT = 64;

    static {
        try {
            var lookup = MethodHandles.lookup();
            TAKEN = lookup.findVarHandle(Turn.class, "taken", int.class);
            INSIDE = lookup.findVarHandle(Turn.class, "inside", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /// The thread that has it to itself; set and cleared by who has `taken`.
    private volatile @Nullable Thread owner;

    /// Whether the owner holds it; the owner alone says yes.
    @SuppressWarnings("unused") // through INSIDE
    private volatile int inside;

    /// There will never be an owner again.
    private volatile boolean disowned;

    /// The owner knows that; seen and changed by who has `taken`.
    private boolean settled;

    /// Whether somebody else than the owner holds it, or tries to.
    @SuppressWarnings("unused") // through TAKEN
    private volatile int taken;

    private volatile int waiting;

    /// The thread that took it by `taken`, by its number: storing a reference would cost the
    /// collector's barrier. Only ever compared with the current thread by itself: a stale value is
    /// never the own one, for it is cleared first.
    private long holder;

    /// Who took it last, and how many times in a row; seen and changed by who has `taken`.
    private long last;

    private int row;

    /// Makes a free one.
    public Turn() {}

    /// Takes it if it is free. It may be refused, too, in the moment in which its owner loses it.
    public boolean tryTake() {
        return (isOwn() && !disowned) ? takeOwn() : takeShared();
    }

    @SuppressWarnings("ReferenceEquality") // threads are compared
    private boolean isOwn() {
        return owner == Thread.currentThread();
    }

    private boolean takeOwn() {
        if ((int) INSIDE.getAcquire(this) != 0) {
            return false; // whoever gives it back may be another thread
        }
        INSIDE.setOpaque(this, 1);
        if (!disowned) {
            return true;
        }
        INSIDE.setRelease(this, 0);
        return takeShared();
    }

    private boolean takeShared() {
        if (!TAKEN.compareAndSet(this, 0, 1)) {
            return false;
        }
        boolean free = false;
        try {
            var other = owner;
            free = other == null || disown(other);
        } finally {
            if (!free) {
                TAKEN.setRelease(this, 0);
            }
        }
        if (free) {
            holder = Thread.currentThread().threadId();
            row = holder == last ? row + 1 : 1;
            last = holder;
        }
        return free;
    }

    /// Takes it away from its owner.
    ///
    /// @return false: it holds it still
    private boolean disown(Thread other) {
        if (!settled) {
            disowned = true;
            other.getStackTrace(); // for the barrier in that thread, not for the answer
            settled = true;
        }
        if (inside != 0) {
            return false;
        }
        owner = null;
        return true;
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
        return holder == Thread.currentThread().threadId() || (isOwn() && inside != 0);
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
        if (holder == 0) {
            INSIDE.setRelease(this, 0);
        } else {
            giveBackShared();
        }
        if (waiting != 0) {
            wakeOne();
        }
    }

    private void giveBackShared() {
        var me = Thread.currentThread();
        if (row >= HABIT && last == me.threadId() && waiting == 0 && !disowned) {
            owner = me; // who comes next by `taken` sees that
        }
        holder = 0;
        TAKEN.setRelease(this, 0);
    }

    private synchronized void wakeOne() {
        notifyAll();
    }
}
