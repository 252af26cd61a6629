package org.ibidem.registry;

import org.ibidem.IbidemException;

/// The pool has all the members it was made for. Join another pool, or start it with a larger size.
public final class PoolFull extends IbidemException {
    private static final long serialVersionUID = 1L;

    /// Says what the hub said.
    public PoolFull(String message) {
        super(message);
    }
}
