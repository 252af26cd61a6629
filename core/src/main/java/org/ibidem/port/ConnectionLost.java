package org.ibidem.port;

import org.ibidem.IbidemException;

/// A connection ended that nobody closed at this end, or the receiver closed it under the sender.
/// What was not delivered whole was not delivered.
public final class ConnectionLost extends IbidemException {
    private static final long serialVersionUID = 1L;

    ConnectionLost(String message) {
        super(message);
    }

    ConnectionLost(String message, Throwable cause) {
        super(message, cause);
    }
}
