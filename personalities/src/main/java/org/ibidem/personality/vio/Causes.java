package org.ibidem.personality.vio;

import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import org.ibidem.vlink.VLinkFailed;

/// What the JDK's sockets throw where a VLink fails.
final class Causes {
    private Causes() {}

    static IOException connecting(VLinkFailed e) {
        return because(
                e,
                switch (e.kind()) {
                    case REFUSED -> new ConnectException("Connection refused");
                    case TIMED_OUT -> new SocketTimeoutException("Connect timed out");
                    case UNREACHABLE -> new NoRouteToHostException("No route to host");
                    case CLOSED, CANCELLED -> new SocketException("Socket closed");
                    case RESET, UNREAD, BROKEN, FILE, BUSY ->
                            new SocketException("Connection reset");
                });
    }

    static IOException reading(VLinkFailed e) {
        return because(
                e,
                switch (e.kind()) {
                    case CLOSED, CANCELLED -> new SocketException("Socket closed");
                    default -> new SocketException("Connection reset");
                });
    }

    /// @param closed whether the whole socket is closed at this end
    static IOException writing(VLinkFailed e, boolean closed) {
        return because(
                e,
                switch (e.kind()) {
                    case CLOSED, CANCELLED ->
                            new SocketException(closed ? "Socket closed" : "Broken pipe");
                    case UNREAD -> new SocketException("Broken pipe");
                    default -> new SocketException("Connection reset by peer");
                });
    }

    private static IOException because(VLinkFailed e, IOException what) {
        what.initCause(e);
        return what;
    }
}
