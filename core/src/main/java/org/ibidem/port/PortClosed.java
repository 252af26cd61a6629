package org.ibidem.port;

import org.ibidem.IbidemException;

/// The port was closed at this end, before or while it was used.
public final class PortClosed extends IbidemException {
    private static final long serialVersionUID = 1L;

    PortClosed(String port) {
        super(port + " was closed at this end");
    }
}
