package org.ibidem.hub;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ibidem.task.Tasks;
import org.ibidem.topology.Surroundings;
import org.jspecify.annotations.Nullable;

/// What one member says of the network it is in: asked when somebody wants to know, once for all
/// who want to know it meanwhile, and kept for a minute. It goes with the member's connection.
final class Survey {
    static final Duration KEPT = Duration.ofSeconds(60);
    static final Duration PATIENCE = Duration.ofSeconds(3);

    /// More are told at once that nothing is known.
    static final int MOST_WAITING = 256;

    private final Tasks tasks;
    private final Runnable ask;
    private final List<Asker> waiting = new ArrayList<>();
    private @Nullable Surroundings known;
    private long when;
    private long question;

    /// Who wants to know.
    @FunctionalInterface
    interface Asker {
        /// The answer; never blocks.
        ///
        /// @param age how long ago the member said so
        void told(Duration age, Optional<Surroundings> said);
    }

    /// @param ask has the member asked; never blocks
    Survey(Tasks tasks, Runnable ask) {
        this.tasks = tasks;
        this.ask = ask;
    }

    /// Somebody wants to know.
    synchronized void want(Asker asker) {
        var age = Duration.ofNanos(tasks.nanoTime() - when);
        if (known != null && age.compareTo(KEPT) < 0) {
            asker.told(age, Optional.of(known));
        } else if (waiting.size() >= MOST_WAITING) {
            asker.told(Duration.ZERO, Optional.empty());
        } else {
            waiting.add(asker);
            if (waiting.size() == 1) {
                long mine = ++question;
                tasks.after(PATIENCE, "limit to describe a network", () -> over(mine));
                ask.run();
            }
        }
    }

    /// The member has answered.
    synchronized void said(Surroundings what) {
        known = what;
        when = tasks.nanoTime();
        tell(Optional.of(what));
    }

    /// It takes too long.
    private synchronized void over(long mine) {
        if (mine == question) {
            tell(Optional.empty());
        }
    }

    /// The connection has ended.
    synchronized void end() {
        known = null;
        tell(Optional.empty());
    }

    private void tell(Optional<Surroundings> said) {
        waiting.forEach(asker -> asker.told(Duration.ZERO, said));
        waiting.clear();
    }
}
