package org.ibidem.trust;

import org.ibidem.IbidemException;

/// A file that should hold certificates does not, or not those that are needed.
public final class BadCertificate extends IbidemException {
    private static final long serialVersionUID = 1L;

    /// @param why names the file, and what to do
    public BadCertificate(String why) {
        super(why);
    }

    /// @param why names the file, and what to do
    /// @param cause what was found
    public BadCertificate(String why, Throwable cause) {
        super(why, cause);
    }
}
