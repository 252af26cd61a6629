package org.ibidem.dial;

import java.time.Duration;
import org.ibidem.IbidemException;
import org.ibidem.arbitration.WaitInterrupted;
import org.ibidem.connect.Unreachable;
import org.ibidem.control.ServiceFailed;
import org.ibidem.handshake.HandshakeFailed;

/// What a program is told where a peer was not reached, or not in time.
public final class Unreached {
    private Unreached() {}

    /// Whether a failure says that a peer was not reached.
    public static boolean says(IbidemException failure) {
        return failure instanceof Unreachable
                || failure instanceof ServiceFailed
                || failure instanceof HandshakeFailed;
    }

    /// The exception for the program.
    ///
    /// @param what there is no connection to
    /// @param limit of the program's call
    /// @param why it failed last
    public static IbidemException told(String what, Duration limit, IbidemException why) {
        return Thread.currentThread().isInterrupted()
                ? new WaitInterrupted()
                : new Unreachable(what, limit, why);
    }
}
