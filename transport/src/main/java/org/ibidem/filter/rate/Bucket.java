package org.ibidem.filter.rate;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.locks.ReentrantLock;
import org.ibidem.task.Tasks;
import org.jspecify.annotations.Nullable;

/// A token bucket: bytes that may be sent come by the passing of time, up to a burst.
///
/// Who finds too few of them waits in a queue, and they are given out in its order, as many to
/// each, 64 KiB at most (deficit round robin; Shreedhar, Varghese, SIGCOMM 1995); who wants more
/// stands at its end again. A short message need not wait until there are so many, and what it
/// leaves of them is its link's: for the next, or for nothing, the others go on. One lock, under
/// which nothing blocks. Whoever asks gives to those before him; where all sleep, a task of the
/// node does at the time that the first is due.
final class Bucket {
    /// Most of one turn: what a message has to wait for behind each of the others.
    private static final long MOST = 64 << 10;

    private static final long LEAST = 1 << 10;
    private static final double SECOND = 1e9;
    private static final long SOON_NANOS = 20_000;

    private final Tasks tasks;
    private final double limit;
    private final double burst;
    private final long quantum;

    final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<Taker> queue = new ArrayDeque<>();
    private double bytes;
    private long since;
    private Tasks.@Nullable Task timer;

    Bucket(Rate rate, Tasks tasks) {
        this.tasks = tasks;
        this.limit = (double) rate.limit();
        this.burst = (double) rate.atOnce();
        this.quantum = Math.clamp(rate.atOnce() / 4, LEAST, MOST);
        this.bytes = burst;
        this.since = tasks.nanoTime();
    }

    /// Gives `taker` something, or its place in the queue. With the lock.
    void ask(Taker taker, long wanted) {
        giveOut();
        if (taker.allowance > 0 || taker.waits) {
            return;
        }
        taker.wanted = Math.min(wanted, quantum) - taker.allowance;
        taker.waits = true;
        queue.add(taker);
        giveOut();
    }

    /// Gives those at the head of the queue what they want, as far as it is there. With the lock.
    void giveOut() {
        long now = tasks.nanoTime();
        bytes = Math.min(burst, bytes + (now - since) * limit / SECOND);
        since = now;
        for (var first = queue.peek(); first != null && bytes >= due(first); first = queue.peek()) {
            queue.remove();
            bytes -= quantum - first.allowance;
            first.take(quantum);
        }
    }

    /// What must be there for it: less than it gets, if it is a short message. Nobody can wait for
    /// more than the bucket holds, as one would who owes for a frame that was larger.
    private double due(Taker first) {
        return Math.min((double) first.wanted, burst);
    }

    /// Sees to it that the queue goes on though all of it sleeps. With the lock.
    ///
    /// @return false: nobody will, as the node is closed
    boolean wake() {
        var first = queue.peek();
        if (timer == null && first != null) {
            long nanos = (long) Math.ceil((due(first) - bytes) / limit * SECOND);
            var delay = Duration.ofNanos(Math.max(SOON_NANOS, nanos));
            try {
                timer = tasks.after(delay, "rate", this::elapsed);
            } catch (IllegalStateException _) {
                return false; // its links are about to be closed
            }
        }
        return true;
    }

    private void elapsed() {
        lock.lock();
        try {
            timer = null;
            goOn();
        } finally {
            lock.unlock();
        }
    }

    private void goOn() {
        giveOut();
        if (queue.stream().anyMatch(Taker::isAsleep)) {
            wake();
        }
    }

    /// It wants no more, and gives back what it has. With the lock.
    void leave(Taker taker) {
        queue.remove(taker);
        bytes = Math.min(burst, bytes + Math.max(0, taker.allowance));
        var mine = timer;
        if (mine != null) {
            mine.stop(); // it was for the first, who may have been this one
            timer = null;
        }
        goOn();
    }

    /// Most of what one turn brings.
    long quantum() {
        return quantum;
    }
}
