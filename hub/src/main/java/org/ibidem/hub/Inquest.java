package org.ibidem.hub;

import java.time.Duration;
import org.ibidem.task.Tasks;

/// Finds out what became of a node whose connection was reset.
final class Inquest {
    private static final Duration PROBE_AGAIN = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

    private final Session session;
    private final Register register;
    private final Prober prober;
    private final Tasks tasks;

    Inquest(Session session, Register register, Prober prober, Tasks tasks) {
        this.session = session;
        this.register = register;
        this.prober = prober;
        this.tasks = tasks;
    }

    /// Its connection was reset.
    ///
    /// @param unhidden nobody else can be at its addresses, seen from here
    void reset(String what, boolean unhidden) {
        register.lost(session, "its connection to the hub was reset: " + what);
        if (unhidden) {
            probe(PROBE_AGAIN);
        }
    }

    /// Asks its addresses until nobody listens there, it is back, or its time is over. More than
    /// once, because a process that dies loses its connections one after the other, and its
    /// listener may be the last.
    private void probe(Duration pause) {
        if (!register.misses(session)) {
            return;
        }
        var contact = register.contact(session.pool(), session.id());
        if (contact.filter(it -> prober.refused(session.pool(), it)).isPresent()) {
            register.proved(
                    session,
                    "its connection to the hub was reset, and nobody listens at its addresses");
        } else {
            var longer = pause.multipliedBy(2);
            var next = longer.compareTo(LONGEST_PAUSE) < 0 ? longer : LONGEST_PAUSE;
            probeAfter(pause, next);
        }
    }

    private void probeAfter(Duration pause, Duration next) {
        try {
            tasks.after(pause, "probe a node that was reset", () -> probe(next));
        } catch (IllegalStateException _) {
            // the hub is going down, and nobody asks any more
        }
    }
}
