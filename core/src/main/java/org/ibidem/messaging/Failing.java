package org.ibidem.messaging;

import java.lang.System.Logger.Level;
import org.ibidem.port.FailureUpcall;
import org.ibidem.port.Origin;
import org.ibidem.port.ReceivePort;
import org.jspecify.annotations.Nullable;

/// Whom to tell of what goes wrong with one message, where nobody can be thrown at.
///
/// @param hook the program's; null: it is logged, in a line
record Failing(@Nullable FailureUpcall hook) {
    private static final System.Logger LOG = System.getLogger(Failing.class.getName());

    void failed(ReceivePort port, Origin from, Throwable why) {
        var told = hook;
        if (told == null) {
            LOG.log(Level.WARNING, "{0} skips a message of {1}: {2}", port, from, Words.brief(why));
            return;
        }
        try {
            told.failed(port, from, why);
        } catch (Exception | Error e) { // what else is to be done with the message goes on
            LOG.log(Level.ERROR, "the hook for failures of " + port + " threw", e);
        }
    }
}
