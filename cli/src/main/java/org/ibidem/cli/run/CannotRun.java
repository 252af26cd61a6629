package org.ibidem.cli.run;

import org.ibidem.IbidemException;

/// What is to be run was not found or cannot be started: the message says why, and what is known.
final class CannotRun extends IbidemException {
    private static final long serialVersionUID = 1L;

    CannotRun(String message) {
        super(message);
    }

    CannotRun(String message, Throwable cause) {
        super(message, cause);
    }
}
