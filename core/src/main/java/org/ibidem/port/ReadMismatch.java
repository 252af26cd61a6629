package org.ibidem.port;

import org.ibidem.IbidemException;

/// A read did not match what was written, or the message was over. Says both kinds and the byte of
/// the message. Where reads are checked, what was written can still be read as what it is. The
/// connection goes on.
public final class ReadMismatch extends IbidemException {
    private static final long serialVersionUID = 1L;

    ReadMismatch(String message) {
        super(message);
    }
}
