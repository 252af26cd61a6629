package org.ibidem.port;

import org.ibidem.IbidemException;

/// An object could not be written or was not let in.
public final class ObjectRefused extends IbidemException {
    private static final long serialVersionUID = 1L;

    ObjectRefused(String message) {
        super(message);
    }

    ObjectRefused(String message, Throwable cause) {
        super(message, cause);
    }
}
