package org.ibidem.apps.life;

import org.ibidem.IbidemException;

/// The processes were not started for the same game, or not with what it needs.
final class BadJob extends IbidemException {
    private static final long serialVersionUID = 1L;

    BadJob(String message) {
        super(message);
    }
}
