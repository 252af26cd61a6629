package org.ibidem.accept;

import org.ibidem.IbidemException;

/// The port wanted cannot be listened on: taken, or not allowed.
public final class CannotListen extends IbidemException {
    private static final long serialVersionUID = 1L;

    CannotListen(String message, Throwable cause) {
        super(message, cause);
    }
}
