package org.ibidem.personality.nio;

import java.io.IOException;
import java.net.SocketException;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;

/// What a channel is wrong about, said as sockets say it.
final class Said {
    private Said() {}

    static SocketException bySocket(RuntimeException e) {
        var words =
                switch (e) {
                    case NotYetConnectedException _ -> "Socket is not connected";
                    case NotYetBoundException _ -> "Socket is not bound yet";
                    case AlreadyBoundException _ -> "Already bound";
                    case AlreadyConnectedException _ -> "Already connected";
                    case ConnectionPendingException _ -> "Connection pending";
                    case UnresolvedAddressException _ -> "Unresolved address";
                    case UnsupportedAddressTypeException _ -> "Unsupported address type";
                    default -> throw e; // a socket says it in the same way
                };
        return because(new SocketException(words), e);
    }

    static <E extends IOException> E because(E what, RuntimeException why) {
        what.initCause(why);
        return what;
    }
}
