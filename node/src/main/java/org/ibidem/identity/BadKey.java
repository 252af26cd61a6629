package org.ibidem.identity;

import org.ibidem.IbidemException;

/// Bytes that should be the public key of a node are none.
public final class BadKey extends IbidemException {
    private static final long serialVersionUID = 1L;

    BadKey(String message) {
        super(message);
    }

    BadKey(String message, Throwable cause) {
        super(message, cause);
    }
}
