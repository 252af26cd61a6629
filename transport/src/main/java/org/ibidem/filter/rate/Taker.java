package org.ibidem.filter.rate;

import java.nio.channels.SelectableChannel;
import org.ibidem.wait.Armed;
import org.ibidem.wait.Doorbell;
import org.ibidem.wait.SleepTraits;
import org.ibidem.wait.Waitable;
import org.ibidem.wait.WaitableOver;
import org.jspecify.annotations.Nullable;

/// What one link may send, and how its writer sleeps: until its turn has come where the bucket held
/// it up, else as the part below does. One thread writes.
final class Taker {
    private final Bucket bucket;
    private final Runnable left;

    /// Bytes that may be sent; below 0 where a frame was larger than that. With the bucket's lock,
    /// as what follows.
    long allowance;

    /// Stands in the queue.
    boolean waits;

    /// Bytes that the bucket must hold for it to go on, with what it owes.
    long wanted;

    private boolean asleep;
    private boolean over;
    private @Nullable Doorbell bell;

    /// It is the bucket, and not what lies below, that the writer has to wait for.
    private volatile boolean held;

    /// @param left called once, when the link is closed
    Taker(Bucket bucket, Runnable left) {
        this.bucket = bucket;
        this.left = left;
    }

    /// How many of so many bytes may be sent now; 0: none.
    ///
    /// @param wanted one at least
    long may(long wanted) {
        bucket.lock.lock();
        try {
            if (allowance <= 0 && !over) {
                bucket.ask(this, wanted);
            }
            held = allowance <= 0 && !over;
            // who is closed is told so by what lies below
            return over ? wanted : Math.clamp(allowance, 0, wanted);
        } finally {
            bucket.lock.unlock();
        }
    }

    /// So many were sent.
    ///
    /// @return whether some more may be sent at once
    boolean sent(long bytes) {
        bucket.lock.lock();
        try {
            allowance -= bytes;
            return allowance > 0;
        } finally {
            bucket.lock.unlock();
        }
    }

    /// Most of what may be sent in one frame, if it can be smaller.
    long most() {
        return bucket.quantum();
    }

    /// What lies below has to be waited for.
    void heldBelow() {
        held = false;
    }

    /// Its turn has come. With the lock.
    ///
    /// @param quantum what it may send then, after what it owes
    void take(long quantum) {
        waits = false;
        allowance = quantum;
        ring();
    }

    private void ring() {
        var mine = bell;
        if (asleep && mine != null) {
            mine.ring();
        }
    }

    boolean isAsleep() {
        return asleep;
    }

    void leave() {
        bucket.lock.lock();
        try {
            if (over) {
                return;
            }
            over = true;
            waits = false;
            bucket.leave(this);
            allowance = 0;
            ring();
        } finally {
            bucket.lock.unlock();
        }
        left.run();
    }

    private Armed arm() {
        bucket.lock.lock();
        try {
            bucket.giveOut();
            if (!waits) {
                return Armed.READY;
            }
            asleep = true;
            return Armed.quiet(bucket.wake());
        } finally {
            bucket.lock.unlock();
        }
    }

    private void disarm() {
        bucket.lock.lock();
        try {
            asleep = false;
        } finally {
            bucket.lock.unlock();
        }
    }

    private void bell(Doorbell doorbell) {
        bucket.lock.lock();
        try {
            bell = doorbell;
        } finally {
            bucket.lock.unlock();
        }
    }

    /// How the writer over `below` sleeps.
    Waitable over(Waitable below) {
        return new Writer(below);
    }

    /// A channel that can be written would keep awake who has to wait for his turn.
    private final class Writer implements WaitableOver {
        private final Waitable below;

        Writer(Waitable below) {
            this.below = below;
        }

        @Override
        public Waitable below() {
            return below;
        }

        @Override
        public @Nullable SelectableChannel channel() {
            return below.channel();
        }

        @Override
        public int interest() {
            return held ? 0 : below.interest();
        }

        @Override
        public Armed arm() {
            return held ? Taker.this.arm() : below.arm();
        }

        @Override
        public void disarm() {
            Taker.this.disarm();
            below.disarm();
        }

        @Override
        public SleepTraits traits() {
            return SleepTraits.NONE;
        }

        @Override
        public void bell(Doorbell doorbell) {
            Taker.this.bell(doorbell);
            below.bell(doorbell);
        }
    }
}
