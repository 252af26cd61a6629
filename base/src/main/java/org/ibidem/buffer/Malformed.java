package org.ibidem.buffer;

import org.ibidem.IbidemException;

/// A control message does not obey its format; the message says at which byte, in which field, and
/// what was there.
public final class Malformed extends IbidemException {
    private static final long serialVersionUID = 1L;

    /// Says where and what.
    public Malformed(String message) {
        super(message);
    }
}
