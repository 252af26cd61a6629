package org.ibidem.registry.uplink;

import org.ibidem.IbidemException;

/// The hub ended the connection before it answered: it pushed it out for newer ones before it knew
/// who this is, or has just ended itself.
final class DroppedByHub extends IbidemException {
    private static final long serialVersionUID = 1L;

    DroppedByHub(String message) {
        super(message);
    }
}
