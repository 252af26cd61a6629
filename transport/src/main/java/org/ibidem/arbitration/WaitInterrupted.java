package org.ibidem.arbitration;

import org.ibidem.IbidemException;

/// The thread that waited was interrupted; its interrupt status is still set, and what it waited
/// for is still usable.
public final class WaitInterrupted extends IbidemException {
    private static final long serialVersionUID = 1L;

    /// Says so.
    public WaitInterrupted() {
        super("interrupted while waiting; the port and its connections are still usable");
    }

    /// Says so of another thing than a port.
    ///
    /// @param what was waited for
    public WaitInterrupted(String what) {
        super("interrupted while waiting for " + what);
    }
}
