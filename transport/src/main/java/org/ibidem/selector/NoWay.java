package org.ibidem.selector;

import org.ibidem.IbidemException;

/// No network driver reaches the peer; the message says what each of them said.
public final class NoWay extends IbidemException {
    private static final long serialVersionUID = 1L;

    NoWay(String message) {
        super(message);
    }
}
