package org.ibidem.task;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;

/// Runs things and knows the time, for rooms that may make no threads of their own. Implemented by
/// `arbitration`.
public interface Tasks {
    /// Something that runs or will run.
    interface Task {
        /// Asks it to stop: a waiting one never starts, a running one is interrupted.
        void stop();
    }

    /// Runs `body` now, on its own (virtual) thread.
    Task start(String name, Runnable body);

    /// Runs `body` now, which waits for a peer at a socket, for a while or all its life. As long as
    /// there are few of these they may run on threads of the platform: a virtual thread that waits
    /// at a socket has the JVM start a thread that looks after all such, and stays.
    default Task attend(String name, Runnable body) {
        return start(name, body);
    }

    /// Runs `body` now, of which this node's life depends: if possible on a thread of the platform,
    /// which goes on while programs' virtual threads hold all processors. A node has a constant
    /// number of these, however many peers it has.
    default Task vital(String name, Runnable body) {
        return start(name, body);
    }

    /// Runs `body` now, which waits in the system where nothing interrupts it: if possible on a
    /// thread of the platform, so that no virtual one is held up by it.
    default void block(String name, Runnable body) {
        start(name, body);
    }

    /// Runs `body` once, after `delay`.
    Task after(Duration delay, String name, Runnable body);

    /// Runs `body` once, after `delay`, in the thread that watches the time: on time, also while
    /// programs' virtual threads hold all processors. It is brief and never blocks.
    default Task alarm(Duration delay, String name, Runnable body) {
        return after(delay, name, body);
    }

    /// Runs `body` again and again on a thread of its own, `pause` apart by the machine's clock,
    /// until it answers false. It may be a thread of the platform.
    default Task repeat(Duration pause, String name, BooleanSupplier body) {
        return start(name, () -> again(pause, body));
    }

    /// Has this thread wait.
    ///
    /// @throws InterruptedException when the thread is interrupted before or while it waits
    default void pause(Duration time) throws InterruptedException {
        var over = new CountDownLatch(1);
        var alarm = after(time, "end a pause", over::countDown);
        try {
            over.await();
        } finally {
            alarm.stop();
        }
    }

    /// As [#repeat], in this thread, until it is interrupted.
    default void again(Duration pause, BooleanSupplier body) {
        try {
            do {
                pause(pause);
            } while (body.getAsBoolean());
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// A part that is driven.
    interface Driven {
        /// It has something to do earlier than it said.
        void soon();

        /// It is called no more, once this has returned; not to be called from within the part with
        /// a lock that [Progress#progress] takes.
        void stop();
    }

    /// Has `part` called when it has something to do, from now on; the first time at once.
    default Driven drive(String name, Progress part) {
        return Beating.drive(this, name, part);
    }

    /// Nanoseconds of the one clock; only differences mean anything.
    long nanoTime();

    /// When a time limit that begins now is over, as [#nanoTime] will say it.
    default long deadline(Duration limit) {
        return nanoTime() + nanos(limit);
    }

    /// A time limit in nanoseconds. "For ever" is a century here, for sums to be right.
    static long nanos(Duration limit) {
        long century = 36_525L * 24 * 60 * 60;
        return limit.toSeconds() < century ? limit.toNanos() : century * 1_000_000_000;
    }
}
