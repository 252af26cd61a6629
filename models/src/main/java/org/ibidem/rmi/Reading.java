package org.ibidem.rmi;

import java.lang.System.Logger.Level;
import java.time.Duration;
import org.ibidem.link.Tasks;
import org.jspecify.annotations.Nullable;

/// Lets the thread that reads calls run one itself: handing it to another thread takes longer than
/// most methods do. Meanwhile it keeps the call's message open, so the port reads nothing more. If
/// the method lasts after all, or waits for a call of its own, the message is closed, which has the
/// port read on in another thread.
final class Reading {
    private static final System.Logger LOG = System.getLogger(Reading.class.getName());

    /// How long nothing is read at most, and how often it is looked.
    static final Duration TICK = Duration.ofMillis(2);

    /// Looks that find no new call before there are no more.
    private static final int IDLE_LOOKS = 500;

    private final Tasks tasks;

    /// The message that is kept open; null: none.
    private @Nullable AutoCloseable message;

    private @Nullable Thread runner;
    private long began;

    /// Of the call that was begun last.
    private long number;

    private boolean watched;
    private long seen;
    private int idle;

    Reading(Tasks tasks) {
        this.tasks = tasks;
    }

    /// This thread, which reads, is about to run the call of this message.
    ///
    /// @return for [#end]
    synchronized long begin(AutoCloseable mine) {
        message = mine;
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
    synchronized void end(long mine) {
        if (mine == number) {
            message = null;
            runner = null;
        }
    }

    /// This thread is about to wait: if it runs a call in the place of reading, another reads on.
    synchronized void waits() {
        if (Thread.currentThread().equals(runner)) {
            letGo();
        }
    }

    /// @return whether to look again
    private synchronized boolean look() {
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
                LOG.log(Level.DEBUG, "nothing is read any more: {0}", e.getMessage());
            }
        }
    }
}
