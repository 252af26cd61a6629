package org.ibidem.registry;

import org.ibidem.IbidemException;

/// A member with the same key is in the pool. Join with another identity, or end the other process
/// first.
public final class IdInUse extends IbidemException {
    private static final long serialVersionUID = 1L;

    /// Says what the hub said.
    public IdInUse(String message) {
        super(message);
    }
}
