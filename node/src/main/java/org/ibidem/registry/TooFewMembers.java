package org.ibidem.registry;

import org.ibidem.IbidemException;

/// The pool did not get as many members as were waited for in time.
public final class TooFewMembers extends IbidemException {
    private static final long serialVersionUID = 1L;

    /// Says what the hub said.
    public TooFewMembers(String message) {
        super(message);
    }
}
