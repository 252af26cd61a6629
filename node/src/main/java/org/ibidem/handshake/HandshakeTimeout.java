package org.ibidem.handshake;

/// The peer did not finish the handshake in time.
public final class HandshakeTimeout extends HandshakeFailed {
    private static final long serialVersionUID = 1L;

    HandshakeTimeout(String message) {
        super(message);
    }

    HandshakeTimeout(String message, Throwable cause) {
        super(message, cause);
    }
}
