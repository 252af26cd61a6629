package org.ibidem.link;

import org.ibidem.IbidemException;

/// The link under a connection is gone, or its peer broke the protocol and the link was closed for
/// it.
public class LinkBroken extends IbidemException {
    private static final long serialVersionUID = 1L;

    /// Says how it broke.
    public LinkBroken(String message) {
        super(message);
    }

    /// Says how it broke, and what it came from.
    public LinkBroken(String message, Throwable cause) {
        super(message, cause);
    }
}
