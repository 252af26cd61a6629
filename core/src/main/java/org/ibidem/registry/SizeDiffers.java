package org.ibidem.registry;

import org.ibidem.IbidemException;

/// The pool exists with another size than the one asked for. Ask for that size, or for none.
public final class SizeDiffers extends IbidemException {
    private static final long serialVersionUID = 1L;

    /// Says what the hub said.
    public SizeDiffers(String message) {
        super(message);
    }
}
