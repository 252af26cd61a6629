package org.ibidem.registry;

import org.ibidem.IbidemException;

/// The pool holds this node for dead or gone, which is final. It may join again under a new
/// identity.
public final class Departed extends IbidemException {
    private static final long serialVersionUID = 1L;

    /// Says what the hub said.
    public Departed(String message) {
        super(message);
    }
}
