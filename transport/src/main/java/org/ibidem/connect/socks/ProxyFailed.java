package org.ibidem.connect.socks;

import org.ibidem.IbidemException;

/// A proxy would not do what it was asked, or could not; the message says what it said.
public final class ProxyFailed extends IbidemException {
    private static final long serialVersionUID = 1L;

    /// With the exact cause and what to do.
    public ProxyFailed(String message) {
        super(message);
    }

    /// With what made it fail.
    public ProxyFailed(String message, Throwable cause) {
        super(message, cause);
    }
}
