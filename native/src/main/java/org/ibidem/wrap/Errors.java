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
    static int of(Exception failure) {
        return switch (failure) {
            case ConnectException _ -> REFUSED;
            case SocketTimeoutException _ -> TIMED_OUT;
            default -> failure.getCause() instanceof VLinkFailed why ? of(why) : NO_ROUTE;
        };
    }

    private static int of(VLinkFailed why) {
        return switch (why.kind()) {
            case REFUSED -> REFUSED;
            case TIMED_OUT -> TIMED_OUT;
            default -> NO_ROUTE;
        };
    }
}
