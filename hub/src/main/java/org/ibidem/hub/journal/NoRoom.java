package org.ibidem.hub.journal;

import java.io.IOException;

/// Nothing could be written, and the journal is as it was before: it may be tried again.
public final class NoRoom extends IOException {
    private static final long serialVersionUID = 1L;

    NoRoom(String message, Throwable cause) {
        super(message, cause);
    }
}
