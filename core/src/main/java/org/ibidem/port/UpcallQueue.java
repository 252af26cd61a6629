package org.ibidem.port;

import java.util.ArrayDeque;
import org.ibidem.task.Tasks;
import org.jspecify.annotations.Nullable;

/// Runs what a port has to tell a program, one after the other, on a thread that lives while there
/// is something to tell. Of a program that is behind by 4096 upcalls the newest are forgotten,
/// which is logged when it begins, and with their number when all others are done.
final class UpcallQueue {
    static final int MOST = 4096;
    private static final System.Logger LOG = System.getLogger(UpcallQueue.class.getName());

    private final Tasks tasks;
    private final String name;
    private final ArrayDeque<Runnable> queue = new ArrayDeque<>();
    private boolean running;
    private long forgotten;

    UpcallQueue(Tasks tasks, String name) {
        this.tasks = tasks;
        this.name = name;
    }

    void add(Runnable errand) {
        synchronized (queue) {
            if (queue.size() >= MOST) {
                if (forgotten++ == 0) {
                    warn("the last upcall does not end: " + MOST + " wait, more are forgotten");
                }
                return;
            }
            queue.add(errand);
            if (running) {
                return;
            }
            running = true;
        }
        tasks.start(name, this::run);
    }

    private void run() {
        for (var next = take(); next != null; next = take()) {
            try {
                next.run();
            } catch (Exception | Error e) { // not all languages declare what they throw
                LOG.log(System.Logger.Level.ERROR, name + " threw; the port goes on", e);
            }
            Thread.interrupted(); // one may leave its thread's status set, for which no other asked
        }
    }

    private @Nullable Runnable take() {
        synchronized (queue) {
            var next = queue.poll();
            running = next != null;
            if (!running && forgotten > 0) {
                warn(forgotten + " were forgotten while upcalls did not end");
                forgotten = 0;
            }
            return next;
        }
    }

    private void warn(String what) {
        LOG.log(System.Logger.Level.WARNING, name + ", but " + what);
    }
}
