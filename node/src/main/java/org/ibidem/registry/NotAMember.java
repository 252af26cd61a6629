package org.ibidem.registry;

import org.ibidem.IbidemException;

/// Somebody was to be reached who is no member of the pool now.
public final class NotAMember extends IbidemException {
    private static final long serialVersionUID = 1L;

    /// Says who.
    public NotAMember(String message) {
        super(message);
    }
}
