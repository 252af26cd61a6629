package org.ibidem.apps.exchange;

import org.ibidem.IbidemException;

/// Misused, or what arrived is not what was sent.
final class BadExchange extends IbidemException {
    private static final long serialVersionUID = 1L;

    private final boolean misused;

    private BadExchange(String message, boolean misused) {
        super(message);
        this.misused = misused;
    }

    static BadExchange misused(String message) {
        return new BadExchange(message, true);
    }

    static BadExchange wrong(String message) {
        return new BadExchange(message, false);
    }

    /// The exit code of the process.
    int code() {
        return misused ? 2 : 1;
    }
}
