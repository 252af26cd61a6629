package org.ibidem.handshake;

/// What arrived is no handshake: another protocol, or bytes no peer may send.
public final class HandshakeGarbled extends HandshakeFailed {
    private static final long serialVersionUID = 1L;

    /// Says what came instead.
    public HandshakeGarbled(String message) {
        super(message);
    }

    HandshakeGarbled(String message, Throwable cause) {
        super(message, cause);
    }
}
