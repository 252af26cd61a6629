package org.ibidem.port;

import org.ibidem.IbidemException;

/// The sender gave the message up after part of it had been sent: what was read of it must not be
/// used.
public final class MessageAbandoned extends IbidemException {
    private static final long serialVersionUID = 1L;

    MessageAbandoned(Origin origin) {
        super("the sender, " + origin + ", gave this message up");
    }
}
