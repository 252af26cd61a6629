package org.ibidem.rmi;

import java.lang.System.Logger.Level;
import java.time.Duration;
import org.ibidem.task.Tasks;
import org.jspecify.annotations.Nullable;

/// Lets the thread that reads calls run one itself: handing it to another thread takes longer than
/// most methods do. Meanwhile it keeps the call's message open, so the port reads nothing more. If
/// the method lasts after all, or waits for a call of its own, the message is closed, which has the
/// port read on in another thread.
///
/// Where the next call is here already, the reply to this one may be kept back and go with that of
/// the next: [#mayKeep].
final class Reading {
    private static final System.Logger LOG = System.getLogger(Reading.class.getName());

    /// How long nothing is read at most, and how often it is looked.
    static final Duration TICK = Duration.ofMillis(2);

    /// Looks that find no new call before there are no more.
    private static final int IDLE_LOOKS = 500;

    private final Tasks tasks;
    private final Runnable late;

    /// The message that is kept open; null: none.
    private @Nullable AutoCloseable message;

    private volatile @Nullable Thread runner;
    private long began;

    /// Of the call that was begun last.
    private long number;

    /// Whether the call after it is here already.
    private volatile boolean followed;

    private boolean watched;
    private long seen;
    private int idle;

    /// @param late sends what was kept back, without waiting; called when it may be late
    Reading(Tasks tasks, Runnable late) {
        this.tasks = tasks;
        this.late = late;
    }

    /// This thread, which reads, is about to run the call of this message.
    ///
    /// @param next whether the call after it is here already
    /// @return for [#end]
    synchronized long begin(AutoCloseable mine, boolean next) {
        message = mine;
        followed = next;
        runner = Thread.currentThread();
        began = tasks.nanoTime();
        if (!watched) {
            watched = true;
            idle = 0;
            tasks.repeat(TICK, "remote calls that last", this::look);
        }
        return ++number;
    }

    /// It has run.
    ///
    /// @return whether this thread goes on with the next call, which is here
    synchronized boolean end(long mine) {
        boolean goesOn = mine == number && runner != null && followed;
        if (mine == number) {
            message = null;
            runner = null;
        }
        return goesOn;
    }

    /// Whether the reply to the call that this thread runs may be kept back: it will run another
    /// one, unless [#end] says otherwise.
    boolean mayKeep() {
        return followed && Thread.currentThread().equals(runner);
    }

    /// This thread is about to wait: if it runs a call in the place of reading, another reads on.
    void waits() {
        if (letsGo()) {
            late.run();
        }
    }

    private synchronized boolean letsGo() {
        boolean mine = Thread.currentThread().equals(runner);
        if (mine) {
            letGo();
        }
        return mine;
    }

    /// @return whether to look again
    private boolean look() {
        boolean again = looked();
        try {
            late.run();
        } catch (RuntimeException | Error e) {
            endLooks(); // the next call has it looked at again
            throw e;
        }
        return again;
    }

    private synchronized void endLooks() {
        watched = false;
    }

    private synchronized boolean looked() {
        if (tasks.nanoTime() - began >= TICK.toNanos()) {
            letGo();
        }
        idle = number == seen ? idle + 1 : 0;
        seen = number;
        watched = idle < IDLE_LOOKS;
        return watched;
    }

    private void letGo() {
        var open = message;
        message = null;
        runner = null;
        if (open != null) {
            try {
                open.close();
            } catch (Exception e) { // the port has been closed, say
                LOG.log(Level.DEBUG, "nothing is read any longer: {0}", e.getMessage());
            }
        }
    }
}
