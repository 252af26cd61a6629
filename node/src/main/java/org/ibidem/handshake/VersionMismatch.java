package org.ibidem.handshake;

/// The two ends speak no common version of the protocol.
public final class VersionMismatch extends HandshakeFailed {
    private static final long serialVersionUID = 1L;

    /// Says which versions the two ends speak.
    public VersionMismatch(String message) {
        super(message);
    }
}
