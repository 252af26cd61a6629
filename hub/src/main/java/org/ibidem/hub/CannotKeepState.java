package org.ibidem.hub;

import org.ibidem.IbidemException;

/// A hub was to keep its state in a folder where it cannot: there is no such folder, another hub
/// uses it, there is no room, or what is in it is damaged. The message says which, and what to do.
public final class CannotKeepState extends IbidemException {
    private static final long serialVersionUID = 1L;

    CannotKeepState(String message, Throwable cause) {
        super(message, cause);
    }
}
