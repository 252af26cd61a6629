package org.ibidem.registry;

import org.ibidem.IbidemException;

/// The pool was full and lost a member since: it takes nobody any more. Join another pool.
public final class PoolClosed extends IbidemException {
    private static final long serialVersionUID = 1L;

    /// Says what the hub said.
    public PoolClosed(String message) {
        super(message);
    }
}
