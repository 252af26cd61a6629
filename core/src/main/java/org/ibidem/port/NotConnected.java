package org.ibidem.port;

import org.ibidem.IbidemException;

/// A message was begun on a send port that is connected to nobody.
public final class NotConnected extends IbidemException {
    private static final long serialVersionUID = 1L;

    NotConnected(String port) {
        super("send port '" + port + "' is not connected; connect it to a receive port first");
    }
}
