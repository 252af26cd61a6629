package org.ibidem.port;

import java.util.ArrayDeque;
import org.ibidem.link.Tasks;
import org.jspecify.annotations.Nullable;

/// Runs what a port has to tell a program, one after the other, on a thread that lives while there
/// is something to tell. Of a program that lags behind by 4096 errands the newest are forgotten,
/// which is logged.
final class Errands {
    static final int MOST = 4096;
    private static final System.Logger LOG = System.getLogger(Errands.class.getName());

    private final Tasks tasks;
    private final String name;
    private final ArrayDeque<Runnable> queue = new ArrayDeque<>();
    private boolean running;

    Errands(Tasks tasks, String name) {
        this.tasks = tasks;
        this.name = name;
    }

    void add(Runnable errand) {
        synchronized (queue) {
            if (queue.size() >= MOST) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "{0}, but the last upcall does not end: {1} wait, this one is forgotten",
                        name,
                        MOST);
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
            } catch (RuntimeException | Error e) {
                LOG.log(System.Logger.Level.ERROR, name + " threw; the port goes on", e);
            }
        }
    }

    private @Nullable Runnable take() {
        synchronized (queue) {
            var next = queue.poll();
            running = next != null;
            return next;
        }
    }
}
