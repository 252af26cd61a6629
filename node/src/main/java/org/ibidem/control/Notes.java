package org.ibidem.control;

import java.util.ArrayDeque;
import java.util.Queue;
import org.ibidem.task.Tasks;
import org.jspecify.annotations.Nullable;

/// The notes of one peer, which nobody answers, and who has sent one does not ask again: some are
/// worked on at a time, beside the requests, and the others wait for their turn. So many channels
/// may end at once as a peer has.
final class Notes {
    private final Tasks tasks;
    private final String name;
    private final int most;
    private final int mostWaiting;
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private int atWork;

    /// @param name of the tasks
    /// @param most at work
    /// @param mostWaiting behind them
    Notes(Tasks tasks, String name, int most, int mostWaiting) {
        this.tasks = tasks;
        this.name = name;
        this.most = most;
        this.mostWaiting = mostWaiting;
    }

    /// Works on one more, now or later.
    ///
    /// @return false: there are too many, and this one is dropped
    boolean add(Runnable note) {
        synchronized (waiting) {
            if (atWork == most) {
                return waiting.size() < mostWaiting && waiting.add(note);
            }
            atWork++;
        }
        tasks.start(name, () -> work(note));
        return true;
    }

    private void work(Runnable note) {
        try {
            note.run();
        } finally {
            var next = next();
            if (next != null) {
                tasks.start(name, () -> work(next));
            }
        }
    }

    private @Nullable Runnable next() {
        synchronized (waiting) {
            var next = waiting.poll();
            if (next == null) {
                atWork--;
            }
            return next;
        }
    }
}
