package org.ibidem.handshake;

import org.ibidem.IbidemException;

/// The handshake of a connection failed and the connection was closed; each subclass is one way of
/// failing.
public class HandshakeFailed extends IbidemException {
    private static final long serialVersionUID = 1L;

    /// Says how.
    protected HandshakeFailed(String message) {
        super(message);
    }

    /// Says how, and what it came from.
    protected HandshakeFailed(String message, Throwable cause) {
        super(message, cause);
    }
}
