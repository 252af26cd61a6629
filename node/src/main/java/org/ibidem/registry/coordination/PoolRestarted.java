package org.ibidem.registry.coordination;

import org.ibidem.IbidemException;

/// The hub was started again without its state while it was asked for something; whether it was
/// done is not known. Sequences and tokens begin anew.
public final class PoolRestarted extends IbidemException {
    private static final long serialVersionUID = 1L;

    /// Says what and why.
    public PoolRestarted(String message) {
        super(message);
    }
}
