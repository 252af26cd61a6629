package org.ibidem.apps.sor;

import org.ibidem.IbidemException;

/// What was asked for cannot be computed: the message says why, and what to give instead.
public final class BadProblem extends IbidemException {
    private static final long serialVersionUID = 1L;

    BadProblem(String message) {
        super(message);
    }

    BadProblem(String message, Throwable cause) {
        super(message, cause);
    }
}
