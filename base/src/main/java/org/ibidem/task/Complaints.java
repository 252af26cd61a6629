package org.ibidem.task;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/// Logs what went wrong with peers, but only so many lines in a while: whoever sends garbage shall
/// not fill our disk.
public final class Complaints {
    private static final int MOST = 20;
    private static final long WHILE_NANOS = 10_000_000_000L;

    private final Logger log;
    private final Tasks tasks;
    private long since;
    private int lines;
    private long kept;

    /// Complains to `log`: 20 lines in 10 seconds, then how many more there were.
    public Complaints(Logger log, Tasks tasks) {
        this.log = log;
        this.tasks = tasks;
        this.since = tasks.nanoTime();
    }

    /// Logs a line, unless there were too many.
    public synchronized void say(Level level, String what) {
        long now = tasks.nanoTime();
        if (now - since >= WHILE_NANOS) {
            if (kept > 0) {
                log.log(Level.WARNING, kept + " more complaints of this kind were not logged");
            }
            since = now;
            lines = 0;
            kept = 0;
        }
        if (lines < MOST) {
            lines++;
            log.log(level, what);
        } else {
            kept++;
        }
    }
}
