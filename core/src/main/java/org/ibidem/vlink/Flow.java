package org.ibidem.vlink;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.ibidem.wait.Armed;
import org.ibidem.wait.Doorbell;
import org.ibidem.wait.SleepTraits;
import org.ibidem.wait.Waitable;
import org.ibidem.wait.WaitableOver;

/// One direction of a VLink. Used by the program's threads and by the loop, under its lock.
abstract class Flow implements WaitableOver, LoopPart {
    final ReentrantLock lock = new ReentrantLock();
    final ReceiptLoop loop;
    private final Waitable below;
    private final List<Runnable> watchers = new ArrayList<>(1);

    /// The loop sleeps, and is woken when there is something to do here.
    private boolean armed;

    /// The loop calls those who watched, and arms it before it sleeps.
    private volatile boolean telling;

    /// Somebody may have rung for it.
    private volatile boolean ready = true;

    /// Wakes the loop, and says what for.
    private volatile Doorbell bell;

    /// Nothing is to be done here any more.
    boolean over;

    Flow(ReceiptLoop loop, Object below) {
        this.loop = loop;
        this.below = Waitable.of(below);
        this.bell = loop::ring;
    }

    /// What can be done now, with the lock: hands over, notices an end. True when whoever waits is
    /// to look.
    abstract boolean isReady();

    /// Whether the loop is to sleep on it, with the lock.
    abstract boolean isAwaited();

    /// Whether the loop is woken when there is something to do here, with the lock.
    boolean isArmed() {
        return armed;
    }

    /// Whether a look may have brought in more than it gave, of which nobody is told any more.
    boolean mayHaveMore() {
        return false;
    }

    boolean isWatched() {
        return !watchers.isEmpty();
    }

    /// The loop is to sleep on it again, if another did, with the lock.
    void revoke() {}

    /// The loop is not woken any more when there is something to do here, with the lock.
    void takeFromLoop() {
        if (armed) {
            armed = false;
            below.disarm();
        }
    }

    /// Has `watcher` called once, by the loop, when it is worth to look again: perhaps for nothing.
    void watch(Runnable watcher) {
        boolean mustRing;
        boolean gone;
        lock.lock();
        try {
            if (!watchers.contains(watcher)) {
                watchers.add(watcher);
            }
            revoke();
            mustRing = (!armed && !telling) || mayHaveMore();
            gone = over;
        } finally {
            lock.unlock();
        }
        if (gone) {
            loop.later(this::tellAll); // it may have been left already
        } else if (mustRing) {
            look();
        }
    }

    /// It is not called any more.
    void unwatch(Runnable watcher) {
        lock.lock();
        try {
            watchers.remove(watcher);
        } finally {
            lock.unlock();
        }
    }

    /// The loop looks at it soon, and so does who sleeps on it by itself.
    void look() {
        ready = true;
        bell.ring();
        wake();
    }

    /// The other side has rung: the one that sleeps on this direction is woken and looks.
    private void rung() {
        ready = true;
        if (!wake()) {
            bell.ring();
        }
    }

    /// Wakes who sleeps on it without the loop.
    ///
    /// @return false: nobody does
    boolean wake() {
        return false;
    }

    /// What lies below, for who sleeps on it without the loop; with the lock.
    Waitable lower() {
        return below;
    }

    @Override
    public boolean turn() {
        if (!ready && below.traits().announces()) {
            return false; // a look at a socket is a system call
        }
        ready = false; // before the look: what comes after it sets it again
        List<Runnable> told;
        lock.lock();
        try {
            if (over || !isReady()) {
                return false;
            }
            wake(); // the look may have taken in what he sleeps for
            if (watchers.isEmpty()) {
                return false;
            }
            told = List.copyOf(watchers);
            watchers.clear();
            telling = true;
        } finally {
            lock.unlock();
        }
        try {
            Handlers.callAll(told, Runnable::run);
        } finally {
            telling = false;
        }
        return true;
    }

    @Override
    public void tellAll() {
        List<Runnable> told;
        lock.lock();
        try {
            told = List.copyOf(watchers);
            watchers.clear();
        } finally {
            lock.unlock();
        }
        wake();
        Handlers.callAll(told, Runnable::run);
    }

    @Override
    public Waitable below() {
        return below;
    }

    @Override
    public Armed arm() {
        lock.lock();
        try {
            if (over || !isAwaited()) {
                return Armed.SLEEP;
            }
            armed = true;
            var now = below.arm();
            ready |= now == Armed.READY;
            return now;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void disarm() {
        lock.lock();
        try {
            takeFromLoop();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public int interest() {
        lock.lock();
        try {
            return over || !isAwaited() ? 0 : below.interest();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public SleepTraits traits() {
        return below.traits();
    }

    @Override
    public void ready() {
        lock.lock();
        try {
            below.ready();
        } finally {
            lock.unlock();
        }
        ready = true;
    }

    @Override
    public void bell(Doorbell waiter) {
        bell = waiter;
        below.bell(this::rung);
    }
}
