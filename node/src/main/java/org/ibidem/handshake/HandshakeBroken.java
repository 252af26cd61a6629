package org.ibidem.handshake;

/// The connection ended in the middle of the handshake.
public sealed class HandshakeBroken extends HandshakeFailed permits HandshakeDropped {
    private static final long serialVersionUID = 1L;

    HandshakeBroken(String message) {
        super(message);
    }

    HandshakeBroken(String message, Throwable cause) {
        super(message, cause);
    }
}
