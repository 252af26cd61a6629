package org.ibidem.handshake;

/// The peer said nothing at all, or had us prove ourselves and then went no further: it tries
/// several addresses at once, and another one won.
public final class HandshakeDropped extends HandshakeBroken {
    private static final long serialVersionUID = 1L;

    HandshakeDropped(HandshakeBroken cause) {
        super(String.valueOf(cause.getMessage()), cause);
    }
}
