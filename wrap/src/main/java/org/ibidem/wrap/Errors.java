package org.ibidem.wrap;

import java.net.ConnectException;
import java.net.SocketTimeoutException;
import org.ibidem.vlink.VLinkFailed;

/// Linux's numbers for what may become of a connect.
final class Errors {
    static final int TIMED_OUT = 110;
    static final int REFUSED = 111;
    static final int NO_ROUTE = 113;

    private Errors() {}

    /// The number that the kernel would give.
    static int of(Throwable failure) {
        return switch (failure) {
            case ConnectException why -> isTimeout(why) ? TIMED_OUT : REFUSED;
            case SocketTimeoutException _ -> TIMED_OUT;
            default -> failure.getCause() instanceof VLinkFailed why ? of(why) : NO_ROUTE;
        };
    }

    /// The JDK has one exception for both, and the kernel's words in it. Who has too much to do to
    /// take a connection is there still.
    private static boolean isTimeout(ConnectException why) {
        return String.valueOf(why.getMessage()).contains("timed out");
    }

    private static int of(VLinkFailed why) {
        return switch (why.kind()) {
            case REFUSED -> REFUSED;
            case TIMED_OUT -> TIMED_OUT;
            default -> NO_ROUTE;
        };
    }
}
