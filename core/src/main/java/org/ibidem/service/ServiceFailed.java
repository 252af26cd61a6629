package org.ibidem.service;

import org.ibidem.IbidemException;

/// A request to another node was not answered, or was answered with a failure.
public final class ServiceFailed extends IbidemException {
    private static final long serialVersionUID = 1L;

    ServiceFailed(String message) {
        super(message);
    }

    ServiceFailed(String message, Throwable cause) {
        super(message, cause);
    }
}
