package org.ibidem.port;

import org.ibidem.IbidemException;

/// Reads did not match the writes, or the message was over. The message can only be closed; the
/// connection goes on.
public final class ReadMismatch extends IbidemException {
    private static final long serialVersionUID = 1L;

    ReadMismatch(String message) {
        super(message);
    }
}
