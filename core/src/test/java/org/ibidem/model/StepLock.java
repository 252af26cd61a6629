package org.ibidem.model;

import java.util.Date;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/// A lock whose taking, and whose condition's waiting, are steps of [Orders]. It is held between
/// two steps only, so it is always free; conditions wake nobody by mistake.
public final class StepLock implements Lock {
    private final Orders orders;

    /// By the number of their wait, in order.
    private final Set<Integer> waiting = new LinkedHashSet<>();

    private int waits;

    /// One for threads of these.
    public StepLock(Orders orders) {
        this.orders = orders;
    }

    @Override
    public void lock() {
        orders.step("lock");
    }

    @Override
    public void unlock() {
        // what follows is seen by nobody before the next step
    }

    @Override
    public Condition newCondition() {
        return new Woken();
    }

    /// How many wait.
    @Override
    public String toString() {
        return waiting.size() + " wait";
    }

    private final class Woken implements Condition {
        @Override
        public void awaitUninterruptibly() {
            int me = waits++;
            waiting.add(me);
            orders.step("waits", () -> !waiting.contains(me));
        }

        @Override
        public void await() {
            throw new UnsupportedOperationException("nobody interrupts here");
        }

        /// The time may be over at any moment.
        @Override
        public long awaitNanos(long nanos) {
            int me = waits++;
            waiting.add(me);
            orders.step("waits for a while");
            return waiting.remove(me) ? 0 : nanos;
        }

        @Override
        public boolean await(long time, TimeUnit unit) {
            throw new UnsupportedOperationException("limits are in nanoseconds here");
        }

        @Override
        public boolean awaitUntil(Date deadline) {
            throw new UnsupportedOperationException("no time of day here");
        }

        @Override
        public void signal() {
            waiting.stream().findFirst().ifPresent(waiting::remove);
        }

        @Override
        public void signalAll() {
            waiting.clear();
        }
    }

    @Override
    public void lockInterruptibly() {
        lock();
    }

    @Override
    public boolean tryLock() {
        lock();
        return true;
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) {
        return tryLock();
    }
}
