package org.ibidem.identity;

import org.ibidem.IbidemException;

/// A stored identity cannot be used: unreadable, open to others, or no key pair.
public final class BadIdentity extends IbidemException {
    private static final long serialVersionUID = 1L;

    BadIdentity(String message) {
        super(message);
    }

    BadIdentity(String message, Throwable cause) {
        super(message, cause);
    }
}
