package org.ibidem.port;

import java.util.ArrayDeque;
import org.ibidem.link.Tasks;
import org.jspecify.annotations.Nullable;

/// Runs what a port has to tell a program, one after the other, on a thread that lives while there
/// is something to tell. Bounded by what makes errands: the connections of the port.
final class Errands {
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
                System.getLogger(Errands.class.getName())
                        .log(System.Logger.Level.ERROR, name + " threw; the port goes on", e);
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
