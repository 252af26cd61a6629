package org.ibidem.registry;

import org.ibidem.IbidemException;

/// Another member has the rank that was wished for. Wish for another one, or for none.
public final class RankTaken extends IbidemException {
    private static final long serialVersionUID = 1L;

    /// Says what the hub said.
    public RankTaken(String message) {
        super(message);
    }
}
