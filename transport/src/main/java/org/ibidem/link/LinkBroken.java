package org.ibidem.link;

import org.ibidem.IbidemException;

/// The link under a connection is gone, or its peer broke the protocol and the link was closed for
/// it.
public class LinkBroken extends IbidemException {
    public static final String CUT =
            "the shared memory was cut short under the link; the link was closed";

    private static final long serialVersionUID = 1L;

    /// Says how it broke.
    public LinkBroken(String message) {
        super(message);
    }

    /// Says how it broke, and what it came from.
    public LinkBroken(String message, Throwable cause) {
        super(message, cause);
    }

    /// The memory of the link was taken away, as a file is that is cut short: the JVM says so by an
    /// `InternalError` where the memory is used.
    public static LinkBroken cut(InternalError e) {
        return new LinkBroken(CUT, e);
    }
}
