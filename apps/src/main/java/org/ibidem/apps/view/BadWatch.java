package org.ibidem.apps.view;

import org.ibidem.IbidemException;

/// There is nothing to watch: the message says why, and what to do.
public final class BadWatch extends IbidemException {
    private static final long serialVersionUID = 1L;

    BadWatch(String message) {
        super(message);
    }
}
