package org.ibidem.port;

import java.lang.System.Logger.Level;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What becomes of what a port's handler throws: it is told to the program where that asked for it,
/// else logged, the first of each kind with its trace and those that follow in a line.
final class Failures {
    private static final int MOST_KINDS = 64;
    private static final System.Logger LOG = System.getLogger(Failures.class.getName());

    private final ReceivePort port;
    private final @Nullable FailureUpcall upcall;
    private final Set<String> kinds = new HashSet<>();

    Failures(ReceivePort port, @Nullable FailureUpcall upcall) {
        this.port = port;
        this.upcall = upcall;
    }

    void failed(Origin from, Throwable why) {
        var told = upcall;
        if (told == null) {
            log(from, why);
            return;
        }
        try {
            told.failed(port, from, why);
        } catch (Exception | Error e) { // whatever it is, the port must not stand still for it
            why.addSuppressed(e);
            log(from, why);
        }
    }

    private void log(Origin from, Throwable why) {
        if (isNew(why)) {
            LOG.log(Level.ERROR, "the upcall of " + port + " threw; it goes on", why);
        } else {
            LOG.log(
                    Level.ERROR,
                    "the upcall of {0} threw again, at a message of {1}: {2}",
                    port,
                    from,
                    why);
        }
    }

    /// Where too many kinds are known, none is new.
    private boolean isNew(Throwable why) {
        var trace = why.getStackTrace();
        var kind = why.getClass().getName() + (trace.length == 0 ? "" : trace[0]);
        synchronized (kinds) {
            return kinds.size() < MOST_KINDS && kinds.add(kind);
        }
    }
}
