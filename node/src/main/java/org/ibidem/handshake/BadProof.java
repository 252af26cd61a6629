package org.ibidem.handshake;

/// The peer did not prove to have the key it showed: someone else, or bytes changed on the way.
public final class BadProof extends HandshakeFailed {
    private static final long serialVersionUID = 1L;

    BadProof(String message) {
        super(message);
    }

    BadProof(String message, Throwable cause) {
        super(message, cause);
    }
}
