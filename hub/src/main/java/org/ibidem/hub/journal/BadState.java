package org.ibidem.hub.journal;

import org.ibidem.IbidemException;

/// The state in a folder cannot be used; the message says which file, where in it, and what to do.
public final class BadState extends IbidemException {
    private static final long serialVersionUID = 1L;

    BadState(String message) {
        super(message);
    }

    BadState(String message, Throwable cause) {
        super(message, cause);
    }
}
