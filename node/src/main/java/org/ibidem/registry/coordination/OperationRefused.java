package org.ibidem.registry.coordination;

import org.ibidem.IbidemException;

/// The hub did not do what was asked, because the pool has as many of its kind as it can, or the
/// hub cannot write its state now.
public final class OperationRefused extends IbidemException {
    private static final long serialVersionUID = 1L;

    /// Says what and why.
    public OperationRefused(String message) {
        super(message);
    }
}
