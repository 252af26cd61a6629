package org.ibidem.registry.uplink;

import org.ibidem.IbidemException;

/// The hub ended the connection before it answered: it pushed it out for newer ones before it knew
/// who this is, or has just ended itself.
final class DroppedByHub extends IbidemException {
    private static final long serialVersionUID = 1L;

    private final boolean asked;

    /// Says what was seen.
    ///
    /// @param asked whether the hub may have heard the wish, and obeyed it
    DroppedByHub(String message, boolean asked) {
        super(message);
        this.asked = asked;
    }

    boolean asked() {
        return asked;
    }
}
