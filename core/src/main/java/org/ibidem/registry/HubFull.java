package org.ibidem.registry;

import org.ibidem.IbidemException;

/// The hub holds as many pools or members as it can.
public final class HubFull extends IbidemException {
    private static final long serialVersionUID = 1L;

    /// Says what the hub said.
    public HubFull(String message) {
        super(message);
    }
}
