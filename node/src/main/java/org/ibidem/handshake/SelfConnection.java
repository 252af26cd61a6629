package org.ibidem.handshake;

/// The connection leads back to this very node.
public final class SelfConnection extends HandshakeFailed {
    private static final long serialVersionUID = 1L;

    SelfConnection(String message) {
        super(message);
    }
}
