package org.ibidem.personality.sockets;

import org.ibidem.IbidemException;

/// A rule for sockets cannot be read.
public final class BadRule extends IbidemException {
    private static final long serialVersionUID = 1L;

    BadRule(String rule, String why) {
        super("the rule '" + rule + "' for sockets: " + why);
    }
}
